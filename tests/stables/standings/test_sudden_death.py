"""Sudden deaths that people take part in: who is there, who fights, one date and one extension (R-SUD-01..05)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jobs.models import Job
from jobs.services import run_pending
from matches.models import Match
from people.models import Notice
from people.text.notices import notice_sentence
from rules.core.refusals import Malformed, SeasonRefused
from rules.wording.isolation import bare
from stables.jobs.titles import scan_for_sudden_deaths
from stables.models import Asset, LogEntry, ReputationEntry, Season, Stable, SuddenDeath, Title
from stables.services.ai.exhibitions import open_exhibition
from stables.services.standings import sudden_deaths, titles
from stables.services.standings.titles import Holding
from tests.stables.running.test_six_cycles import tie
from tests.stables.seasons import without_grace

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
WEEKLY = {"preset": "weekly", "weekday": 6, "at": "20:00"}


@pytest.fixture
def people(db: None) -> list[Any]:
    return [get_user_model().objects.create_user(name, f"{name}@example.org") for name in ("ada", "ben")]


@pytest.fixture
def tied(stocked: Season, people: list[Any]) -> Season:
    """Every stable and its first pilot tied; persons run stables 1 and 2; the season waits for its titles."""
    tie(stocked, 100)
    Stable.objects.filter(season=stocked).update(bot="random")
    for number, person in enumerate(people, 1):
        Stable.objects.filter(season=stocked, number=number).update(is_ai=False, owner=person)
    Season.objects.filter(pk=stocked.pk).update(state=Season.State.SUDDEN_DEATH, organiser=people[0])
    return without_grace(stocked)


def stable_of(season: Season, number: int) -> Stable:
    return season.stables.get(number=number)


def award(season: Season, kind: str = "pilot", now: datetime | None = None) -> list[Holding] | None:
    made = titles.award(season_id=season.pk, kind=kind, play=titles.play_with_bots, now=now)
    return None if made is None else list(made)


def only(season: Season, numbers: list[int], pilots: int = 1) -> None:
    """Let these stables, and so many pilots of each, be ahead of the rest."""
    cycle = season.cycles.get()
    for number in numbers:
        stable = stable_of(season, number)
        own = list(stable.assets.filter(kind="pilot").order_by("id"))
        while len(own) < pilots:
            own.append(Asset.objects.create(**copy_of(own[0], len(own) + 1)))
        for position, asset in enumerate([None, *own[:pilots]]):
            ReputationEntry.objects.create(
                stable=stable,
                asset=asset,
                cycle=cycle,
                # The first pilot has 100 from `tie`; the others come up to him.
                amount=150 if position > 1 else 50,
                cause="win",
                idempotency_key=f"ahead:{number}:{position}",
            )


def copy_of(asset: Asset, serial: int) -> dict[str, Any]:
    names = ("stable", "kind", "catalogue_key", "content_hash", "name", "price_paid")
    return {name: getattr(asset, name) for name in names} | {"serial": serial}


def test_a_tie_of_persons_is_called_once_and_waits_for_them(tied: Season, people: list[Any]) -> None:
    for _ in range(3):
        assert award(tied) is None
    row = SuddenDeath.objects.get()
    assert [each["claim"][:2] for each in row.contenders] == ["01", "02", "03", "04"]
    [told, _] = Notice.objects.filter(code="sudden_death_called")
    names = ", ".join(f"{each['names']} ({stable_of(tied, each['stable']).name})" for each in row.contenders)
    assert f"; those tied are {names}. Say that you are there" in bare(notice_sentence(told.code, told.parameters))
    assert LogEntry.objects.filter(code="sudden_death_called").count() == 1
    assert not Match.objects.exists()
    assert (row.due_at, row.extended) == (None, False)


def test_r_sud_01_r_sud_04_when_all_are_there_bots_play_for_those_who_wish_it(tied: Season) -> None:
    award(tied)
    sudden_deaths.appear(stable_id=stable_of(tied, 1).pk)
    assert award(tied) is None
    sudden_deaths.appear(stable_id=stable_of(tied, 2).pk)
    found = award(tied)
    assert found is not None
    [title] = found
    assert (title.decided_by, title.match) == ("sudden_death", Match.objects.get())
    assert SuddenDeath.objects.get().decided_at is not None
    assert award(tied) == [title]


def test_r_sud_05_the_stables_fight_after_the_pilots_and_the_season_ends(tied: Season) -> None:
    sudden_deaths.ask_for_titles(tied, "test")
    run_pending()
    assert set(SuddenDeath.objects.values_list("kind", flat=True)) == {"pilot"}
    for _ in ("pilot", "stable"):
        for number in (1, 2):
            sudden_deaths.appear(stable_id=stable_of(tied, number).pk)
        run_pending()
    tied.refresh_from_db()
    assert tied.state == Season.State.FINISHED
    assert set(SuddenDeath.objects.values_list("kind", flat=True)) == {"pilot", "stable"}
    assert Notice.objects.filter(code="season_finished").count() == 2
    assert LogEntry.objects.filter(code="title_held").count() == 2
    assert LogEntry.objects.filter(code="season_finished").count() == 1


def test_somebody_may_play_in_the_browser(tied: Season, people: list[Any]) -> None:
    award(tied)
    sudden_deaths.appear(stable_id=stable_of(tied, 1).pk, plays="owner")
    sudden_deaths.appear(stable_id=stable_of(tied, 2).pk, plays="bot")
    assert award(tied) is None
    match = Match.objects.get()
    assert [seat.user for seat in match.seats.order_by("side").exclude(user=None)] == [people[0]]
    assert match.seats.exclude(bot="").count() == 3
    assert SuddenDeath.objects.get().match == match
    with pytest.raises(SeasonRefused) as caught:
        sudden_deaths.appear(stable_id=stable_of(tied, 2).pk)
    assert caught.value.code == "sudden_death_begun"


def test_a_match_that_its_players_do_not_end_is_played_to_its_end_at_the_last_call(tied: Season) -> None:
    award(tied)
    for number in (1, 2):
        sudden_deaths.appear(stable_id=stable_of(tied, number).pk, plays="owner")
    award(tied, now=NOW)
    until = sudden_deaths.call_last(season_id=tied.pk, now=NOW)
    assert award(tied, now=until - timedelta(minutes=1)) is None
    [title] = award(tied, now=until) or []
    assert title.decided_by == "sudden_death"


def test_the_end_of_the_match_asks_for_the_titles(tied: Season) -> None:
    award(tied)
    for number in (1, 2):
        sudden_deaths.appear(stable_id=stable_of(tied, number).pk, plays="owner")
    award(tied)
    match = Match.objects.get()
    titles.play_with_bots(match, {seat.side: "random" for seat in match.seats.all()})
    assert Job.objects.filter(unique_key__endswith=":ended").count() == 1
    run_pending()
    assert SuddenDeath.objects.get(kind="pilot").decided_by == "sudden_death"


def test_q_141_a_date_one_extension_and_then_the_one_who_came_holds_the_title(tied: Season) -> None:
    only(tied, [1, 2])
    Season.objects.filter(pk=tied.pk).update(calendar=WEEKLY)
    award(tied, now=NOW)
    row = SuddenDeath.objects.get()
    assert row.due_at is not None
    assert row.due_at > NOW
    first = row.due_at
    sudden_deaths.appear(stable_id=stable_of(tied, 2).pk)
    assert award(tied, now=first - timedelta(seconds=1)) is None
    assert award(tied, now=first) is None
    row.refresh_from_db()
    assert row.extended
    assert row.due_at > first
    notices = Notice.objects.filter(code="sudden_death_extended")
    assert [notice.user.username for notice in notices] == ["ada"], "who is there need not be told"
    names = ", ".join(f"{each['names']} ({stable_of(tied, each['stable']).name})" for each in row.contenders)
    said = bare(notice_sentence("sudden_death_extended", notices.get().parameters))
    assert f"; those tied are {names}. Say that you are there" in said
    assert award(tied, now=row.due_at - timedelta(seconds=1)) is None
    [title] = award(tied, now=row.due_at) or []
    assert (title.stable.number, title.decided_by, title.match) == (2, Title.Decision.APPEARANCE, None)
    assert notices.count() == 1


def test_q_141_when_nobody_comes_the_title_is_shared(tied: Season) -> None:
    only(tied, [1, 2])
    award(tied, now=NOW)
    until = sudden_deaths.call_last(season_id=tied.pk, now=NOW)
    found = award(tied, now=until) or []
    assert sorted(title.stable.number for title in found) == [1, 2]
    assert {title.decided_by for title in found} == {Title.Decision.SHARED}


def test_those_who_came_fight_without_the_absent(tied: Season) -> None:
    award(tied, now=NOW)
    until = sudden_deaths.call_last(season_id=tied.pk, now=NOW)
    [title] = award(tied, now=until) or []
    assert title.stable.number in (3, 4)
    assert len(Match.objects.get().setup["sides"]) == 2


def test_the_ai_that_is_there_alone_holds_the_title(tied: Season) -> None:
    only(tied, [1, 3])
    award(tied, now=NOW)
    until = sudden_deaths.call_last(season_id=tied.pk, now=NOW)
    [title] = award(tied, now=until) or []
    assert (title.stable.number, title.decided_by) == (3, Title.Decision.APPEARANCE)


def test_no_date_passes_while_the_season_is_paused_and_a_tick_notices_the_rest(tied: Season) -> None:
    only(tied, [1, 2])
    award(tied, now=timezone.now() - timedelta(days=9))
    sudden_deaths.call_last(season_id=tied.pk, now=timezone.now() - timedelta(days=8))
    Season.objects.filter(pk=tied.pk).update(paused_at=timezone.now())
    scan_for_sudden_deaths()
    assert run_pending() == 0
    assert award(tied) is None
    Season.objects.filter(pk=tied.pk).update(paused_at=None)
    scan_for_sudden_deaths()
    scan_for_sudden_deaths()
    assert Job.objects.count() == 1
    run_pending()
    assert len(SuddenDeath.objects.get(kind="pilot").holders) == 2


def test_q_169_of_two_tied_pilots_the_player_names_their_and_an_untied_bot_plays_the_other(tied: Season) -> None:
    only(tied, [1], pilots=2)
    assert award(tied) is None
    first, second = (each["asset"] for each in SuddenDeath.objects.get().contenders)
    stable = stable_of(tied, 1)
    named = next(asset for asset in stable.assets.filter(kind="pilot") if asset.code == second)
    Stable.objects.filter(season=tied, number__gt=1).update(bot="greedy")
    said = sudden_deaths.appear(stable_id=stable.pk, fighter=named.pk, plays="owner")
    assert (said.kind, said.fighter) == ("pilot", named.label)
    assert award(tied) is None
    match = Match.objects.get()
    row = SuddenDeath.objects.get()
    sides = {each["asset"]: each["side"] for each in row.contenders}
    assert match.seats.get(side=sides[second]).user == stable.owner
    assert match.seats.get(side=sides[first]).bot == "greedy", "an untied player's"


def test_q_169_a_tied_stable_may_send_anybody_still_on_its_list(tied: Season) -> None:
    only(tied, [1, 2])
    award(tied, "stable")
    stable = stable_of(tied, 1)
    best = stable.assets.filter(kind="pilot").order_by("id").first()
    other = Asset.objects.create(**copy_of(best, 9))
    sudden_deaths.appear(stable_id=stable.pk, fighter=other.pk)
    assert SuddenDeath.objects.get().contenders[0]["asset"] == other.code
    for change in ({"sold_at": NOW}, {"died_at": NOW}):
        Asset.objects.filter(pk=other.pk).update(sold_at=None, died_at=None)
        Asset.objects.filter(pk=other.pk).update(**change)
        with pytest.raises(SeasonRefused) as caught:
            sudden_deaths.appear(stable_id=stable.pk, fighter=other.pk)
        assert caught.value.code == "cannot_fight"
    unit = stable.assets.filter(kind="unit").first()
    with pytest.raises(SeasonRefused):
        sudden_deaths.appear(stable_id=stable.pk, fighter=unit.pk)
    rivals = stable_of(tied, 2).assets.filter(kind="pilot").first()
    with pytest.raises(Malformed) as malformed:
        sudden_deaths.appear(stable_id=stable.pk, fighter=rivals.pk)
    assert malformed.value.code == "unknown_asset"


def test_q_164_a_dead_pilot_does_not_fight_and_the_one_left_holds_the_title(tied: Season) -> None:
    only(tied, [1, 2])
    stable_of(tied, 1).assets.filter(kind="pilot").update(died_at=NOW)
    [title] = award(tied) or []
    assert title.stable.number == 2
    assert not SuddenDeath.objects.exists()


def test_q_159_who_withdrew_wins_no_title(tied: Season) -> None:
    only(tied, [1])
    Stable.objects.filter(season=tied, number=1).update(left_in_cycle=1)
    award(tied)
    assert "01" not in {each["claim"][:2] for each in SuddenDeath.objects.get().contenders}
    Stable.objects.filter(season=tied).update(left_in_cycle=1)
    assert award(tied, "stable") == []


def test_a_correction_before_the_fight_calls_it_again_between_others(tied: Season) -> None:
    award(tied)
    only(tied, [1, 2])
    award(tied)
    assert [each["stable"] for each in SuddenDeath.objects.get().contenders] == [1, 2]
    ReputationEntry.objects.create(
        stable=stable_of(tied, 1),
        asset=stable_of(tied, 1).assets.filter(kind="pilot").first(),
        cycle=tied.cycles.get(),
        amount=1,
        cause="win",
        idempotency_key="one more",
    )
    [title] = award(tied) or []
    assert (title.stable.number, title.decided_by) == (1, "reputation")
    assert not SuddenDeath.objects.exists()
    assert Notice.objects.filter(code="sudden_death_off").count() == 4, "at both changes, to both persons"


def test_r_sud_a_season_of_machines_waits_for_nobody(release: Any) -> None:
    season = open_exhibition(name="E", stables=4, weight_class="light", cycles=1, seed=3, bot="random")
    run_pending()
    season.refresh_from_db()
    assert season.state == Season.State.FINISHED


@pytest.mark.parametrize("broken", ["make_match", "_keep"])
def test_a_worker_that_dies_leaves_a_fight_that_the_next_one_takes_up(
    tied: Season, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    award(tied)
    for number in (1, 2):
        sudden_deaths.appear(stable_id=stable_of(tied, number).pk)

    def die(*arguments: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as changed:
        changed.setattr(sudden_deaths, broken, die)
        with pytest.raises(KeyboardInterrupt):
            award(tied)
    sides = [each["side"] for each in SuddenDeath.objects.get().contenders]
    assert all(sides)
    [title] = award(tied) or []
    assert title.decided_by == "sudden_death"
    assert [each["side"] for each in SuddenDeath.objects.get().contenders] == sides
    assert Match.objects.count() == 1


# What people may ask -----------------------------------------------------------------------------------------------


def press(person: Any, season: Season, number: int, **fields: Any) -> Any:
    client = Client()
    if person is not None:
        client.force_login(person)
    address = reverse("stables:sudden_death", args=[season.slug, stable_of(season, number).slug])
    return client.post(address, fields)


def test_only_the_owner_of_a_tied_stable_says_that_they_are_there(tied: Season, people: list[Any]) -> None:
    award(tied)
    assert [press(who, tied, 1).status_code for who in (None, people[1], people[0])] == [302, 403, 302]
    assert SuddenDeath.objects.get().appeared == [SuddenDeath.objects.get().contenders[0]["claim"]]
    assert press(people[0], tied, 3).status_code == 403, "the AI's"
    wrong = press(people[0], tied, 1, plays="table")
    assert (wrong.status_code, wrong.context["code"]) == (400, "bad_field")
    assert press(people[0], tied, 1, fighter="x").context["code"] == "not_a_number"
    assert press(people[0], tied, 1, fighter="999999").context["code"] == "unknown_asset"
    assert Client().get(reverse("stables:sudden_death", args=[tied.slug, "ash"])).status_code == 405
    assert Client().post(reverse("stables:sudden_death", args=[tied.slug, "no-such"])).status_code in (302, 404)


def test_where_nobody_is_tied_nobody_appears(tied: Season, people: list[Any]) -> None:
    answer = press(people[0], tied, 1)
    assert (answer.status_code, answer.context["code"]) == (409, "no_sudden_death")


def test_the_organiser_makes_a_last_call_once(tied: Season, people: list[Any]) -> None:
    address = reverse("stables:last_call", args=[tied.slug])
    award(tied)
    client, other = Client(), Client()
    client.force_login(people[0])
    other.force_login(people[1])
    assert Client().post(address).status_code == 302
    assert other.post(address).status_code == 403
    assert client.get(address).status_code == 405
    assert client.post(address).status_code == 302
    again = client.post(address)
    assert (again.status_code, again.context["code"]) == (409, "sudden_death_has_date")
    assert SuddenDeath.objects.get().extended


def test_the_season_page_shows_who_is_there_and_asks_the_owner(tied: Season, people: list[Any]) -> None:
    award(tied)
    client = Client()
    page = client.get(tied.get_absolute_url()).content.decode()
    assert 'id="sudden-death"' in page
    assert "I am here" not in page
    client.force_login(people[1])
    assert "I am here" in client.get(tied.get_absolute_url()).content.decode()


def test_q_169_the_page_of_the_match_says_what_it_is_for(tied: Season) -> None:
    award(tied)
    for number in (1, 2):
        sudden_deaths.appear(stable_id=stable_of(tied, number).pk)
    award(tied)
    page = Client().get(Match.objects.get().get_absolute_url()).content.decode()
    assert "Sudden death for the title" in page
    assert stable_of(tied, 1).get_absolute_url() in page
    season_page = Client().get(tied.get_absolute_url()).content.decode()
    assert Match.objects.get().get_absolute_url() in season_page, "where the title is held"
