"""The page after a match: what happened to each of the owner's, its cost, the purse that may come, and what is next."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from jobs.services import run_pending
from rules.campaign.standings.purses import purse
from rules.wording.filling import signed
from stables.models import Asset, Cycle, Fixture, LedgerEntry, Placing, Season
from stables.presenters.after_match import after_match
from stables.selectors.assets import cost_of_repair
from stables.text.names import CLASSES, FORMATS
from tests.markup import read_aloud
from tests.stables.ai.test_solo import Presser, line_up_fields, own, person, play_on, player, press_play

__all__ = ["player"]
pytestmark = pytest.mark.django_db


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(answer.content.decode()))


def come_to_the_board(user: Any) -> tuple[Presser, Season, Fixture]:
    """Press up to the first match of a cycle with several, so that the cycle stays open after it."""
    presser, season = press_play(user, ready_made="yes", length="full")
    _, answer = presser.go_on()
    presser.press("line-up", own(season).get_absolute_url() + "line-up", line_up_fields(answer))
    assert presser.go_on()[0] == "matches:play"
    return presser, season, Fixture.objects.get(round__cycle__season=season, sides__stable=own(season))


def page_after(season: Season, fixture: Fixture) -> str:
    return reverse("stables:after_match", args=[season.slug, fixture.pk])


def finish(presser: Presser, fixture: Fixture) -> None:
    assert fixture.match is not None
    presser.press("finish", reverse("matches:finish", args=[fixture.match.public_id]))


def test_the_way_after_a_match_leads_to_what_happened_first(player: Any) -> None:
    presser, season, fixture = come_to_the_board(player)
    finish(presser, fixture)
    assert fixture.match is not None
    end = presser.client.get(reverse("matches:play", args=[fixture.match.public_id]))
    here = page_after(season, fixture)
    assert f'id="what-is-next" href="{here}"' in text_of(end)
    # The result is still being settled: the page waits for it, and is the same page afterwards.
    assert 'id="wait"' in text_of(presser.client.get(here))
    run_pending()
    shown = presser.client.get(here)
    stable = own(season)
    page = shown.context["page"]
    [mine] = page.units
    wear = Asset.objects.get(pk=mine.asset.pk)
    fixture.refresh_from_db()
    [end_of_unit] = [unit for unit in fixture.result.current["units"].values() if int(unit["stable"]) == stable.number]
    assert mine.asset.stable_id == stable.pk
    assert (mine.fate == "eliminated") == end_of_unit["eliminated"] == wear.is_eliminated
    assert mine.lost == end_of_unit["clicks"] - end_of_unit["before"]
    gear = Asset.objects.filter(assigned_to=wear, kind=Asset.Kind.GEAR)
    assert mine.price == cost_of_repair(season, wear, gear)
    assert mine.asset.label in text_of(shown)
    assert page.banked == fixture.result.current["stables"][str(stable.number)]["banked"]
    assert f'id="next-step-go" href="{page.step.address}"' in text_of(shown)


def test_the_purse_is_a_range_until_the_cycle_closes_and_then_the_lines_of_the_ledger(player: Any) -> None:
    presser, season, fixture = come_to_the_board(player)
    finish(presser, fixture)
    run_pending()
    stable = own(season)
    cycle = fixture.round.cycle
    field = season.stables.count()
    paid = [purse(cycle.format, cycle.match_class, field, place) for place in (1, field)]
    before = presser.client.get(page_after(season, fixture)).context["page"].purse
    assert (before.place, before.most, before.least, before.lines) == (None, *paid, ())
    assert f"between {paid[1]} Stones for place {field} and {paid[0]} Stones for the first" in read_aloud(
        presser.client.get(page_after(season, fixture)).content.decode()
    )
    play_on(presser, season, cycles=1)
    after = presser.client.get(page_after(season, fixture)).context["page"].purse
    placing = Placing.current().get(cycle=cycle, stable=stable)
    assert (after.place, after.stones) == (placing.place, placing.purse)
    closing = LedgerEntry.objects.filter(stable=stable, cause__in=("purse", "compulsory_repair", "sponsor_grant"))
    amounts = closing.order_by("sequence").values_list("amount", flat=True)
    assert [amount for _, amount in after.lines] == [signed(amount) for amount in amounts]


def test_a_repair_on_the_page_is_the_one_of_the_garage_and_comes_back_here(player: Any) -> None:
    presser, season, fixture = come_to_the_board(player)
    finish(presser, fixture)
    run_pending()
    stable = own(season)
    [fought] = presser.client.get(page_after(season, fixture)).context["page"].units
    unit = fought.asset
    here = page_after(season, fixture)
    Asset.objects.filter(pk=unit.pk).update(is_eliminated=False, damage=1)
    damaged = text_of(presser.client.get(here))
    cycle = fixture.round.cycle
    of_next = f"in round 2 of {cycle.rounds_planned}: {FORMATS[cycle.format]}, {CLASSES[cycle.match_class]}."
    assert f"Your next match is {of_next} You bring 1 ’Mech." in damaged
    assert "repaired with all its clicks, otherwise with those it has left" in damaged
    Asset.objects.filter(pk=unit.pk).update(is_eliminated=True, damage=3)
    shown = presser.client.get(here)
    [mine] = shown.context["page"].units
    assert shown.context["page"].can_repair
    assert "Repaired now, it sits out your next match" in text_of(shown)
    assert f"Repair for {mine.price} Stones" in read_aloud(shown.content.decode())
    fields = {"asset": str(unit.pk), "back": "after", "fixture": str(fixture.pk)}
    answer = presser.client.post(reverse("stables:repair", args=[season.slug, stable.slug]), fields)
    assert answer["Location"] == here
    [entry] = LedgerEntry.objects.filter(stable=stable, cause="repair")
    assert entry.amount == -mine.price
    again = text_of(presser.client.get(here))
    assert "It was eliminated and is repaired: it sits out your next match" in again
    assert "Repair for" not in again
    Asset.objects.filter(pk=unit.pk).update(sits_out_cycle=None, sits_out_round=None)
    assert "It may fight in your next match, with all its clicks." in text_of(presser.client.get(here))
    other = next(each for each in CLASSES if each != cycle.match_class)
    Cycle.objects.filter(pk=cycle.pk).update(match_class=other)
    assert "It cannot fight in your next match, which is for another class." in text_of(presser.client.get(here))


@pytest.mark.parametrize("fixture_number", ["", "x", "9" * 30])
def test_a_form_with_a_wrong_way_back_leads_to_the_stable(player: Any, fixture_number: str) -> None:
    presser, season = press_play(player, ready_made="yes")
    run_pending()
    stable = own(season)
    fields = {"back": "after", "fixture": fixture_number}
    answer = presser.client.post(reverse("stables:repair_all", args=[season.slug, stable.slug]), fields)
    assert answer["Location"] == stable.get_absolute_url()


def test_everybody_else_is_led_to_the_season(player: Any) -> None:
    presser, season, fixture = come_to_the_board(player)
    finish(presser, fixture)
    run_pending()
    client = Client()
    here = page_after(season, fixture)
    next_of_season = reverse("stables:season_next", args=[season.slug])
    Season.objects.filter(pk=season.pk).update(visibility=Season.Visibility.UNLISTED)
    assert client.get(here)["Location"] == next_of_season
    client.force_login(person("stranger"))
    assert client.get(here)["Location"] == next_of_season
    assert presser.client.get(here.replace(f"/{fixture.pk}/", "/99999/")).status_code == 404
    Season.objects.filter(pk=season.pk).update(visibility=Season.Visibility.PRIVATE)
    assert client.get(here).status_code == 404


def test_a_void_result_says_so_and_shows_no_scene(player: Any) -> None:
    presser, season, fixture = come_to_the_board(player)
    finish(presser, fixture)
    run_pending()
    fixture = Fixture.objects.select_related("round__cycle__season__release", "result").get(pk=fixture.pk)
    fixture.result.document = fixture.result.document | {"ended_by": "void", "winner": None, "units": {}}
    stable = own(season)
    page = after_match(fixture, stable)
    assert (page.outcome, page.units) == ("void", ())
