"""What comes next on a solo evening: its end, another one, and matches that nobody plays."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from jobs.models import Job
from jobs.services import run_pending
from stables.models import Fixture, Season
from stables.presenters.next_step import evenings_of, next_step, onward
from stables.services.ai import solo
from stables.services.season import seasons
from stables.services.standings import sudden_deaths
from tests.stables.ai.test_solo import FORM, PLAY, Presser, line_up_fields, own, person, player, press_play
from tests.stables.conftest import open_with
from tests.stables.running.test_six_cycles import tie

__all__ = ["player"]
pytestmark = pytest.mark.django_db


def test_evenings_of_one_person_have_a_name_each(player: Any) -> None:
    for name in ("Tin", "tin ", "Tin", "T" * 60, "T" * 60):
        solo.open_evening(player=player, stable_name=name)
    solo.open_evening(player=person("other"), stable_name="Tin")
    names = list(Season.objects.order_by("pk").values_list("name", flat=True))
    longest = "Evening of " + "T" * 60
    assert names[:3] == ["Evening of Tin", "Evening of tin, 2", "Evening of Tin, 3"]
    assert names[3:5] == [longest, longest + ", 2"]
    # What others call their evenings does not count.
    assert names[5:] == ["Evening of Tin"]


def test_the_end_of_an_evening_offers_another_one_first(player: Any) -> None:
    presser, season = press_play(player)
    Season.objects.filter(pk=season.pk).update(state=Season.State.FINISHED)
    shown = presser.client.get(season.get_absolute_url()).content.decode()
    assert "invites everybody" not in shown
    console = reverse("stables:console", args=[season.slug])
    assert shown.index('id="play-again"') < shown.index("<details") < shown.index(f'href="{console}"')
    folded = shown[shown.rindex("<details", 0, shown.index(console)) :].split("</details>")[0]
    assert reverse("stables:again", args=[season.slug]) in folded
    assert presser.client.get(console).status_code == 200


def test_r_sud_01_a_tied_evening_is_led_to_its_end(player: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solo, "new_secret", lambda: b"a season's secret of thirty-two.")
    presser, season = press_play(player, ready_made="yes")
    run_pending()
    tie(season, 100)
    Season.objects.filter(pk=season.pk).update(state=Season.State.SUDDEN_DEATH)
    season.refresh_from_db()
    sudden_deaths.ask_for_titles(season, "test")
    mine = own(season)
    for _ in range(12):
        run_pending()
        answer = presser.client.get(reverse("stables:solo_continue"), follow=True)
        assert answer.status_code == 200
        if Season.objects.get(pk=season.pk).state == Season.State.FINISHED:
            break
        assert answer.request["PATH_INFO"] == season.get_absolute_url()
        step = next_step(own(season))
        assert (step.kind, step.address.partition("#")[2]) == ("sudden_death", "sudden-death")
        assert 'id="sudden-death"' in answer.content.decode()
        presser.press("appear", reverse("stables:sudden_death", args=[season.slug, mine.slug]), {"plays": "bot"})
    assert set(season.titles.values_list("kind", flat=True)) == {"stable", "pilot"}
    assert answer.request["PATH_INFO"] == PLAY
    assert presser.go_on()[0] == "stables:ceremony"


def test_continue_leads_to_the_newest_evening_and_else_to_a_new_one(player: Any) -> None:
    presser = Presser(player)
    assert presser.client.get(reverse("stables:solo_continue"))["Location"] == PLAY
    presser.press("play", PLAY, FORM)
    presser.press("play", PLAY, FORM | {"name": "Second"})
    run_pending()
    answer = presser.client.get(reverse("stables:solo_continue"), follow=True)
    newest = Season.objects.order_by("-pk")[0]
    assert answer.request["PATH_INFO"] == reverse("stables:market", args=[newest.slug, "second"])
    assert [stable.name for stable in evenings_of(player)] == ["Second", "Copper Lantern"]
    # The page of a new evening shows both, to go on.
    assert presser.client.get(PLAY).content.decode().count("/next/") == 2


def test_while_jobs_work_a_page_says_so_and_goes_on_by_itself(player: Any) -> None:
    presser, season = press_play(player, ready_made="yes")
    waits = reverse("stables:season_next", args=[season.slug])
    page = presser.client.get(waits)
    assert page.status_code == 200
    assert page.context["step"].kind == "wait"
    changes = f"{reverse('stables:season_next_changes', args=[season.slug])}?version={page.context['version']}"
    assert presser.client.get(changes).status_code == 204
    run_pending()
    assert presser.client.get(changes).status_code == 200
    assert presser.client.get(waits).status_code == 302


def test_a_failed_job_is_shown_and_not_waited_for(player: Any) -> None:
    presser, season = press_play(player, ready_made="yes")
    Job.objects.filter(payload__season=season.pk).update(state=Job.State.FAILED)
    page = presser.client.get(reverse("stables:season_next", args=[season.slug]))
    assert page.context["step"].kind == "failed"
    assert season.get_absolute_url() in page.content.decode()


def test_a_match_is_resolved_without_playing_it(player: Any) -> None:
    presser, season = press_play(player, ready_made="yes")
    _, answer = presser.go_on()
    presser.press("line-up", own(season).get_absolute_url() + "line-up", line_up_fields(answer))
    fixture = Fixture.objects.get(round__cycle__season=season, sides__stable=own(season))
    page = reverse("stables:fixture", args=[season.slug, fixture.pk])
    assert 'id="hand-to-ai"' in presser.client.get(page).content.decode()
    hand_over = reverse("stables:hand_to_ai", args=[season.slug, fixture.pk])
    presser.client.post(hand_over)  # not sure
    fixture.refresh_from_db()
    assert (fixture.match, fixture.mode) == (None, "browser")
    presser.press("resolve", hand_over, {"sure": "yes"})
    assert presser.go_on()[0] == "stables:market"
    fixture.refresh_from_db()
    assert fixture.match is not None
    assert fixture.match.is_finished
    late = presser.client.post(hand_over, {"sure": "yes"})
    assert late.status_code == 409


def test_a_match_that_has_begun_is_resolved_too(player: Any) -> None:
    presser, season = press_play(player, ready_made="yes")
    _, answer = presser.go_on()
    presser.press("line-up", own(season).get_absolute_url() + "line-up", line_up_fields(answer))
    assert presser.go_on()[0] == "matches:play"
    fixture = Fixture.objects.get(round__cycle__season=season, sides__stable=own(season))
    presser.press("resolve", reverse("stables:hand_to_ai", args=[season.slug, fixture.pk]), {"sure": "yes"})
    assert fixture.match is not None
    fixture.match.refresh_from_db()
    assert fixture.match.is_finished


def test_who_plays_with_others_is_led_where_they_were_led_before(release: Any, player: Any) -> None:
    season = open_with(release, ["Ash"])
    for user in (player, person("other")):
        seasons.found_stable(season_id=season.pk, name=f"Stable of {user.username}", owner=user)
    stable = season.stables.select_related("season").get(owner=player)
    assert onward(stable, "/there/") == "/there/"
    assert next_step(stable).kind == "market"
    client = Client()
    client.force_login(player)
    assert 'id="make-ready"' not in client.get(season.get_absolute_url()).content.decode()


def test_strangers_have_no_next_step(release: Any, player: Any) -> None:
    season = open_with(release, ["Ash", "Birch"])
    client = Client()
    client.force_login(player)
    assert client.get(reverse("stables:season_next", args=[season.slug]))["Location"] == season.get_absolute_url()
    assert client.get(reverse("stables:season_next_changes", args=[season.slug])).status_code == 403
    assert 'id="next-step"' not in client.get(season.get_absolute_url()).content.decode()
