"""Before a season begins an organiser removes a stable as if it had never joined; then the place is free."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from people.models import Notice
from rules.core.refusals import SeasonRefused
from stables.documents.columns import FULL
from stables.models import Asset, LedgerEntry, LogEntry, Season, Stable, WaitingPlace
from stables.selectors.entrants import entrants
from stables.services.base.ledger import refold
from stables.services.market import trading
from stables.services.running import stables, waiting_list
from stables.services.season import invitations, seasons
from stables.text.log import log_sentence
from tests.stables.documents.conftest import exported
from tests.stables.running.test_hand_on_stables import code_of
from tests.stables.season.test_organising import client_of, league, people, post

__all__ = ["league", "people"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_removed_stable_leaves_as_if_it_had_never_joined(league: Season, people: dict[str, Any]) -> None:
    mine = league.stables.get(owner=people["player"])
    trading.buy(stable_id=mine.pk, kind="unit", key="SOL002")
    stables.remove(stable_id=mine.pk, reason="typing error", user=people["helper"])
    assert [each.name for each in league.stables.all()] == ["Machines"]
    assert [each.name for each in entrants(league, 1)] == ["Machines"]
    assert not Asset.objects.filter(stable=mine.pk).exists()
    told = Notice.objects.get(user=people["player"])
    assert (told.code, told.parameters["reason"]) == ("stable_removed", "typing error")
    with pytest.raises(SeasonRefused, match="stable_removed"):
        trading.buy(stable_id=mine.pk, kind="unit", key="SOL002")
    # Its ledger stays in the books, and they still add up.
    assert LedgerEntry.objects.filter(stable=mine.pk).count() == 2
    assert refold(season_id=league.pk) == []
    again = seasons.found_stable(season_id=league.pk, name="Own Works", owner=people["player"])
    assert (again.slug, again.number) == (mine.slug, mine.number)


def test_a_removed_stable_is_in_no_document_of_its_season(league: Season, people: dict[str, Any]) -> None:
    stables.remove(stable_id=league.stables.get(number=1).pk, reason="agreed", user=people["organiser"])
    document = json.loads(exported(league, FULL))
    assert [(row["number"], row["name"]) for row in document["stables"]] == [(2, "Own Works")]
    assert {row["stable"] for row in document["ledger"]} == {2}
    assert [row["name"] for row in document["identities"]] == ["Own Works"]
    csv = client_of(people["organiser"]).get(reverse("api:season_ledger_csv", args=[league.slug]))
    assert (b"Own Works" in csv.getvalue(), b"Machines" in csv.getvalue()) == (True, False)


def test_stables_of_the_ai_are_removed_too(league: Season, people: dict[str, Any]) -> None:
    stables.remove(stable_id=league.stables.get(is_ai=True).pk, reason="agreed", user=people["organiser"])
    line = LogEntry.objects.get(code="stable_removed")
    assert "Machines" in log_sentence(line.code, line.parameters)
    assert not Notice.objects.exclude(code="stable_joined").exists()


@pytest.mark.parametrize("state", ["running", "sudden_death", "finished", "cancelled"])
def test_a_stable_of_a_season_that_has_begun_stays(league: Season, people: dict[str, Any], state: str) -> None:
    Season.objects.filter(pk=league.pk).update(state=state)
    mine = league.stables.get(owner=people["player"])
    assert code_of(stables.remove, stable_id=mine.pk, reason="-", user=people["organiser"]) == "stable_stays"
    assert Stable.objects.filter(pk=mine.pk).exists()


@pytest.mark.parametrize("name", ["player", "referee", "spectator"])
def test_only_organisers_remove(league: Season, people: dict[str, Any], name: str) -> None:
    with pytest.raises(PermissionDenied):
        stables.remove(stable_id=league.stables.get(number=1).pk, reason="-", user=people[name])
    assert code_of(stables.remove, stable_id=league.stables.get(number=1).pk, reason=" ", user=people["organiser"]) == (
        "reason_missing"
    )
    assert league.stables.count() == 2


def test_a_stable_is_removed_on_its_page(league: Season, people: dict[str, Any]) -> None:
    mine = league.stables.get(owner=people["player"])
    page = reverse("stables:manage", args=[league.slug, mine.slug])
    answer = client_of(people["helper"]).post(page, {"act": "remove", "words": "spam", "sure": "yes"})
    assert answer.status_code == 302
    assert not league.stables.filter(owner=people["player"]).exists()


def test_the_owner_of_a_removed_stable_reads_so(league: Season, people: dict[str, Any]) -> None:
    mine = league.stables.get(owner=people["player"])
    below = {"season_slug": league.slug, "stable_slug": mine.slug}
    stables.remove(stable_id=mine.pk, reason="-", user=people["organiser"])
    player = client_of(people["player"])
    for answer in (
        player.get(reverse("stables:stable", kwargs=below)),
        player.post(reverse("stables:say_ready", kwargs=below)),
    ):
        assert (answer.status_code, answer.context["code"]) == (409, "stable_removed")
    assert client_of(people["spectator"]).get(reverse("stables:stable", kwargs=below)).status_code == 404


# The waiting list -----------------------------------------------------------------------------------------------------


def test_a_person_waits_is_offered_a_place_and_takes_it(league: Season, people: dict[str, Any]) -> None:
    Season.objects.filter(pk=league.pk).update(settings={**league.settings, "places": 2}, joining="open")
    page = reverse("stables:season", args=[league.slug])
    waits, spectator = reverse("stables:wait", args=[league.slug]), client_of(people["spectator"])
    assert waits in spectator.get(page).content.decode()
    assert waits not in client_of(people["player"]).get(page).content.decode()
    own = spectator.post(waits)["Location"]
    place = WaitingPlace.objects.get(user=people["spectator"])
    assert own == f"/waiting/{place.pk}/"
    assert "You are the first on the list." in spectator.get(own).content.decode()
    assert client_of(people["player"]).get(own).status_code == 404
    stables.remove(stable_id=league.stables.get(is_ai=True).pk, reason="-", user=people["organiser"])
    assert "A place is free for you" in spectator.get(own).content.decode()
    assert waits in client_of(people["referee"]).get(page).content.decode()
    spectator.post(own, {"name": "Waited Works"})
    assert league.stables.get(owner=people["spectator"]).name == "Waited Works"
    assert spectator.get(own).status_code == 404


def test_a_person_leaves_the_list_and_an_organiser_passes_one_over(league: Season, people: dict[str, Any]) -> None:
    Season.objects.filter(pk=league.pk).update(settings={**league.settings, "places": 2}, joining="open")
    for name in ("spectator", "referee"):
        client_of(people[name]).post(reverse("stables:wait", args=[league.slug]))
    first, second = league.waiting.order_by("id")
    client_of(people["spectator"]).post(reverse("stables:leave_list", args=[first.pk]))
    assert list(league.waiting.all()) == [second]
    listed = client_of(people["organiser"]).get(reverse("stables:waiting_list", args=[league.slug]))
    assert "referee" in listed.content.decode()
    again = post(league, people["organiser"], "pass_over", place=second.pk, reason="")
    radio = re.search(r'<input id="place-[^>]*>', again.content.decode())
    assert radio is not None
    assert (again.status_code, "checked" in radio[0]) == (400, True)
    assert post(league, people["player"], "pass_over", place=second.pk, reason="agreed").status_code == 403
    assert post(league, people["organiser"], "pass_over", place=second.pk, reason="agreed").status_code == 302
    assert not league.waiting.exists()


# Name, class, copy ----------------------------------------------------------------------------------------------------


def test_a_season_is_copied_renamed_and_its_class_stays(league: Season, people: dict[str, Any]) -> None:
    made = post(league, people["organiser"], "copy_season", name="")
    draft = Season.objects.get(state="draft")
    assert made["Location"] == reverse("stables:console", args=[draft.slug])
    html = client_of(people["organiser"]).get(made["Location"]).content.decode()
    assert reverse("stables:change_class", args=[draft.slug]) in html
    assert post(draft, people["organiser"], "change_class", weight_class="heavy").status_code == 302
    assert post(draft, people["organiser"], "rename_season", name="Right name").status_code == 302
    draft = Season.objects.get(pk=draft.pk)
    assert (draft.name, draft.rules.weight_class) == ("Right name", "heavy")
    refused = post(league, people["helper"], "change_class", weight_class="heavy")
    assert (refused.status_code, refused.context["code"]) == (409, "setting_fixed")
    for name in ("copy_season", "rename_season", "change_class"):
        assert post(league, people["player"], name, name="X").status_code == 403


def test_who_was_removed_needs_a_new_invitation(league: Season, people: dict[str, Any]) -> None:
    old = invitations.invite(season_id=league.pk).code
    assert invitations.find_for(old, people["player"])
    stables.remove(stable_id=league.stables.get(owner=people["player"]).pk, reason="agreed", user=people["organiser"])
    assert code_of(invitations.join, code=old, name="Back", owner=people["player"]) == "invitation_of_removed"
    assert code_of(waiting_list.wait_by_code, code=old, user=people["player"]) == "invitation_of_removed"
    assert invitations.join(code=old, name="Others", owner=people["spectator"])
    new = invitations.invite(season_id=league.pk).code
    assert invitations.join(code=new, name="Back", owner=people["player"])
