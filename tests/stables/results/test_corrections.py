"""Corrections of settled results: what they change, what they leave, and that they end like the right result."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobs.models import Job
from people.models import Notice
from people.text.notices import notice_sentence
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import (
    Asset,
    Correction,
    Cycle,
    Fixture,
    LedgerEntry,
    LogEntry,
    Placing,
    ReputationEntry,
    Season,
    SeasonRole,
    Stable,
    Title,
)
from stables.selectors.fixtures import pairing_of
from stables.services.base import ledger
from stables.services.garage import repairs
from stables.services.results import corrections
from stables.services.results.corrections import Wanted
from stables.services.standings import closing
from tests.stables.season_worlds import Enters
from tests.stables.tabletop_matches import blue_wins, fixture_of, person, red_wins, reported, sides_of, tables
from tests.worlds import taken_back

pytestmark = pytest.mark.database

ORGANISER = "organiser"


def settled(release: Any, documents: list[dict[str, Any]], secret: bytes = b"t" * 32, **more: Any) -> Season:
    """A season of four whose one round of two tables is settled with these results."""
    opened = tables(release, ["Ash", "Birch", "Cedar", "Dogwood"], secret, matches_per_cycle=1, **more)
    return reported(opened, documents)


def close(season: Season) -> Cycle:
    cycle = season.cycles.get(number=1)
    closing.close_cycle(cycle_id=cycle.pk)
    cycle.refresh_from_db()
    return cycle


def correct(fixture: Fixture, wanted: Wanted, who: str = ORGANISER, reason: str = "a typing error") -> Any:
    user = person(who)
    seen = corrections.foresee(fixture_id=fixture.pk, wanted=wanted, user=user)
    made = corrections.correct(fixture_id=fixture.pk, wanted=wanted, reason=reason, seal=seen.seal, user=user)
    assert [one for one in made.effects if one["what"] != "owed"] == [
        one for one in seen.effects if one["what"] != "owed"
    ]
    return made


def to(document: dict[str, Any]) -> Wanted:
    return Wanted("correct", document)


VOID = Wanted("void")


def refused(code: str, fixture: Fixture, wanted: Wanted) -> None:
    with pytest.raises(SeasonRefused) as caught:
        corrections.foresee(fixture_id=fixture.pk, wanted=wanted, user=person(ORGANISER))
    assert caught.value.code == code


def totals(season: Season) -> dict[Any, tuple[int, ...]]:
    """Everybody's record, folded from the book."""
    found: dict[Any, list[int]] = {}
    for entry in ReputationEntry.objects.filter(stable__season=season).select_related("stable", "asset"):
        line = (entry.stable.number, "" if entry.asset is None else entry.asset.code)
        row = found.setdefault(line, [0, 0, 0, 0])
        for place, amount in enumerate((entry.amount, entry.kills, entry.wins, entry.matches)):
            row[place] += amount
    return {line: tuple(row) for line, row in found.items() if any(row)}


def wealth(season: Season) -> dict[int, int]:
    """What each stable has less what it owes."""
    return {stable.number: stable.capital - stable.owed for stable in season.stables.order_by("number")}


def places(season: Season) -> list[tuple[int, int, int]]:
    held = Placing.current().filter(cycle__season=season).order_by("cycle", "place")
    return [(placing.stable.number, placing.place, placing.purse) for placing in held.select_related("stable")]


def worn(season: Season) -> list[tuple[int, str, int, bool]]:
    units = Asset.objects.filter(stable__season=season, kind="unit").select_related("stable").order_by("stable", "id")
    return [(unit.stable.number, unit.code, unit.damage, unit.is_eliminated) for unit in units]


# Before the close ------------------------------------------------------------------------------------------------


RIGHT_AND_WRONG = [red_wins(clicks=0, tokens=0), red_wins(clicks=4, tokens=5), blue_wins()]


@pytest.mark.django_db
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([*RIGHT_AND_WRONG, None]), min_size=1, max_size=3))
def test_a_correction_is_like_having_settled_the_right_result_at_once(
    db: None, four_at_tables: Enters, steps: list[dict[str, Any] | None]
) -> None:
    """Corrections of corrections too, voiding in between; the last one is a result."""
    last = RIGHT_AND_WRONG[len(steps) % 3]
    with taken_back():
        wrong = reported(four_at_tables(), [red_wins(), blue_wins()])
        for step in [*steps, last]:
            correct(fixture_of(wrong), VOID if step is None else to(step))
        corrected = ends_of(wrong)
    with taken_back():
        assert corrected == ends_of(reported(four_at_tables(), [last, blue_wins()]))


def ends_of(season: Season) -> Any:
    """What the results gave and wore, and what the close makes of them when nothing is left to repair."""
    settled = totals(season), worn(season)
    Asset.objects.filter(stable__season=season).update(damage=0, is_eliminated=False)
    close(season)
    return settled, places(season), wealth(season)


def test_a_preview_changes_nothing(four: Season) -> None:
    season = reported(four, [red_wins(), blue_wins()])
    close(season)
    before = (totals(season), wealth(season), places(season), worn(season), LedgerEntry.objects.count())
    seen = corrections.foresee(fixture_id=fixture_of(season).pk, wanted=to(blue_wins()), user=person(ORGANISER))
    assert {effect["what"] for effect in seen.effects} >= {"reputation", "wins", "kills", "repair_refund"}
    assert (totals(season), wealth(season), places(season), worn(season), LedgerEntry.objects.count()) == before
    assert Correction.objects.count() == 0


def test_what_changed_since_it_was_looked_at_is_not_applied(four: Season) -> None:
    season = reported(four, [red_wins(clicks=4), blue_wins()])
    fixture, user = fixture_of(season), person(ORGANISER)
    seen = corrections.foresee(fixture_id=fixture.pk, wanted=VOID, user=user)
    red = sides_of(fixture)[0]
    Cycle.objects.filter(season=season).update(rounds_planned=2)
    repairs.repair(stable_id=red.stable_id, asset_id=red.line_up.crews.get().unit_id)
    with pytest.raises(SeasonRefused) as caught:
        corrections.correct(fixture_id=fixture.pk, wanted=VOID, reason="why", seal=seen.seal, user=user)
    assert caught.value.code == "correction_changed"
    assert Correction.objects.count() == 0


def test_damage_is_corrected_while_nobody_has_repaired_or_fought(four: Season) -> None:
    season = reported(four, [red_wins(clicks=4), blue_wins()])
    fixture = fixture_of(season)
    made = correct(fixture, to(red_wins(clicks=1)))
    unit = sides_of(fixture)[0].line_up.crews.get().unit
    assert (unit.damage, unit.is_eliminated) == (1, False)
    assert [effect["what"] for effect in made.effects] == ["damage"]
    assert fixture.result.current["units"]["red-1"]["clicks"] == 1


def test_a_repair_of_cancelled_damage_is_refunded_and_taken_back_when_it_counts_again(four: Season) -> None:
    season = reported(four, [red_wins(clicks=4), blue_wins()])
    Cycle.objects.filter(season=season).update(rounds_planned=2)
    fixture = fixture_of(season)
    loser = sides_of(fixture)[1]
    unit = loser.line_up.crews.get().unit
    before = Stable.objects.get(pk=loser.stable_id).capital
    cost = repairs.repair(stable_id=loser.stable_id, asset_id=unit.pk).repairs[0].cost
    assert Asset.objects.get(pk=unit.pk).sits_out_round is not None
    made = correct(fixture, VOID)
    assert [effect["amount"] for effect in made.effects if effect["what"] == "repair_refund"] == [cost]
    assert Stable.objects.get(pk=loser.stable_id).capital == before
    # It was not eliminated, so it sits nothing out; and it stays repaired.
    unit.refresh_from_db()
    assert (unit.sits_out_round, unit.damage, unit.is_eliminated) == (None, 0, False)
    correct(fixture, to(red_wins(clicks=4)))
    assert Stable.objects.get(pk=loser.stable_id).capital == before - cost
    assert ledger.refold(season_id=season.pk) == []


def test_damage_that_was_fought_with_since_stays(four: Season) -> None:
    from stables.services.ai import owners
    from stables.services.fixtures import pairing

    season = reported(four, [red_wins(clicks=1), blue_wins()])
    fixture = fixture_of(season)
    winner = sides_of(fixture)[0]
    unit = winner.line_up.crews.get().unit
    drawn = pairing.pair_round(cycle_id=season.cycles.get().pk, number=2)
    owners.prepare(
        stable_id=winner.stable_id,
        fixture_id=Fixture.objects.get(pk__in=drawn.fixture_ids, sides__stable=winner.stable_id).pk,
    )
    fielded = Asset.objects.filter(crews_as_unit__line_up__side__fixture__in=drawn.fixture_ids)
    assert unit in fielded
    made = correct(fixture, to(red_wins(clicks=3)))
    unit.refresh_from_db()
    assert unit.damage == 1
    assert [(effect["what"], effect["why"]) for effect in made.effects] == [("damage_stays", "fought")]


def test_r_dth_03_a_cancelled_death_brings_the_pilot_back(release: Any) -> None:
    deadly = {"house_rules": {"pilot_death": True}}
    season = settled(release, [red_wins(died="yes"), blue_wins_alive()], **deadly)
    fixture = fixture_of(season)
    pilot = sides_of(fixture)[1].line_up.crews.get().pilot
    assert pilot.died_at is not None
    made = correct(fixture, to(red_wins(died="no")))
    pilot.refresh_from_db()
    assert (pilot.died_at, [effect["what"] for effect in made.effects]) == (None, ["revival"])
    made = correct(fixture, to(red_wins(died="yes")))
    pilot.refresh_from_db()
    assert (pilot.died_at is not None, [effect["what"] for effect in made.effects]) == (True, ["death"])


def blue_wins_alive() -> dict[str, Any]:
    document = blue_wins()
    document["units"]["red-1"]["died"] = "no"
    return document


# After the close -------------------------------------------------------------------------------------------------


def test_places_and_purses_are_put_right_in_a_new_revision(four: Season) -> None:
    season = reported(four, [red_wins(tokens=0), red_wins(tokens=10)])
    cycle = close(season)
    before = places(season)
    fixture = fixture_of(season)
    made = correct(fixture, to(red_wins(tokens=30)))
    cycle.refresh_from_db()
    assert cycle.placings_revision == 2
    after = places(season)
    assert [purse for _, _, purse in after] == [purse for _, _, purse in before]
    assert [number for number, _, _ in after] != [number for number, _, _ in before]
    moved = {effect["stable"]: effect["amount"] for effect in made.effects if effect["what"] == "purse"}
    was, now = ({number: purse for number, _, purse in one} for one in (before, after))
    assert moved == {number: now[number] - was[number] for number in now if now[number] != was[number]}
    assert Placing.objects.filter(cycle=cycle, revision=1).count() == 4
    assert ledger.refold(season_id=season.pk) == []
    entry = LogEntry.objects.get(code="result_corrected")
    assert (entry.actor.username, entry.parameters["reason"]) == (ORGANISER, "a typing error")
    assert entry.parameters["effects"] == list(made.effects)


def spend_all(stable_id: int) -> None:
    capital = Stable.objects.get(pk=stable_id).capital
    ledger.post(stable_id=stable_id, movements=[ledger.Movement(-capital, "test", f"poor:{stable_id}")])


def test_what_is_not_there_is_owed_withheld_and_may_be_waived(four: Season) -> None:
    season = reported(four, [red_wins(tokens=0), red_wins(tokens=10)])
    close(season)
    fixture = fixture_of(season)
    best = Placing.current().get(place=1).stable
    spend_all(best.pk)
    made = correct(fixture, to(red_wins(tokens=30)))
    purses = {effect["stable"]: effect["amount"] for effect in made.effects if effect["what"] == "purse"}
    lost = -purses[best.number]
    best.refresh_from_db()
    assert (best.capital, best.owed) == (0, lost)
    notice = Notice.objects.filter(code="correction_made").get(user=best.owner)
    said = notice_sentence(notice.code, notice.parameters)
    assert f"cycle 1, round 1: the result of {pairing_of(sides_of(fixture))} was corrected. " in said
    assert f"{best.name} owes {lost} Stones" in said
    assert f"{best.name}: −{lost} Stones, the difference of the purses of cycle 1." in said
    assert said.endswith("The reason: “a typing error”.")
    assert notice.url == fixture.get_absolute_url()
    assert LogEntry.objects.get(code="result_corrected").parameters["effects"] == list(made.effects), "what is owed too"
    for one in Notice.objects.filter(code="correction_made"):
        assert len({effect["stable"] for effect in one.parameters["effects"]}) == 1, "nobody reads of others"
    ledger.post(stable_id=best.pk, movements=[ledger.Movement(lost - 5, "test", "credit")])
    best.refresh_from_db()
    assert (best.capital, best.owed) == (0, 5)
    with pytest.raises(PermissionDenied):
        corrections.waive_debt(stable_id=best.pk, reason="bad luck", user=person("ash"))
    corrections.waive_debt(stable_id=best.pk, reason="bad luck", user=person(ORGANISER))
    best.refresh_from_db()
    assert best.owed == 0
    assert LogEntry.objects.get(code="debt_waived").parameters["amount"] == 5
    with pytest.raises(SeasonRefused):
        corrections.waive_debt(stable_id=best.pk, reason="bad luck", user=person(ORGANISER))


@pytest.mark.parametrize("is_poor", [False, True])
def test_correcting_there_and_back_leaves_everybody_as_rich_as_before(four: Season, is_poor: bool) -> None:
    season = reported(four, [red_wins(tokens=0), red_wins(tokens=10)])
    close(season)
    for stable in season.stables.all() if is_poor else ():
        spend_all(stable.pk)
    before = (wealth(season), totals(season), places(season))
    fixture = fixture_of(season)
    correct(fixture, to(red_wins(tokens=30)))
    assert (wealth(season), totals(season), places(season)) != before
    correct(fixture, to(red_wins(tokens=0)))
    assert (wealth(season), totals(season), places(season)) == before
    assert [one.number for one in Correction.objects.order_by("number")] == [1, 2]
    assert ledger.refold(season_id=season.pk) == []


@pytest.mark.parametrize("rank_by", ["cycle_reputation", "total_reputation"])
def test_a_later_cycle_is_touched_only_where_the_whole_season_counts(release: Any, rank_by: str) -> None:
    season = settled(
        release, [red_wins(tokens=0), red_wins(tokens=10)], cycles=["standard", "weapons_dead"], purse_rank_by=rank_by
    )
    close(season)
    second = season.cycles.get(number=2)
    rank = {number: place for number, place, _ in places(season)}
    Cycle.objects.filter(pk=second.pk).update(state="closed", started_with=4, rounds_planned=0)
    second.refresh_from_db()
    from stables.services.results.placings import places_of

    second.season = season
    Placing.objects.bulk_create(places_of(second, 1))
    correct(fixture_of(season), to(red_wins(tokens=30)))
    second.refresh_from_db()
    assert second.placings_revision == (2 if rank_by == "total_reputation" else 1)
    assert {number: place for number, place, _ in places(season)[:4]} != rank


def test_a_withdrawn_stable_keeps_its_place_without_a_purse_q_159(four: Season) -> None:
    season = reported(four, [red_wins(tokens=0), red_wins(tokens=10)])
    leaver = sides_of(fixture_of(season))[0].stable
    Stable.objects.filter(pk=leaver.pk).update(left_in_cycle=1)
    close(season)
    placing = Placing.current().get(stable=leaver)
    assert (placing.place, placing.purse) == (2, 0)
    assert not LedgerEntry.objects.filter(stable=leaver, cause="purse").exists()
    correct(fixture_of(season), to(red_wins(tokens=30)))
    assert (Placing.current().get(stable=leaver).place, Placing.current().get(stable=leaver).purse) == (1, 0)


# What is refused -------------------------------------------------------------------------------------------------


def test_titles_that_are_decided_keep_their_results(four: Season) -> None:
    """In seasons that were deciding their titles before they stayed open, a title may stand before the end."""
    season = reported(four, [red_wins(), blue_wins()])
    close(season)
    fixture = fixture_of(season)
    season.refresh_from_db()
    assert season.state == "sudden_death"
    correct(fixture, to(red_wins(clicks=3)))
    # The titles are decided again by the books as they are.
    assert Job.objects.filter(name="stables.award_titles").count() == 2
    stable = season.stables.first()
    Title.objects.create(season=season, kind="stable", stable=stable, reputation=1, kills=0, decided_by="reputation")
    refused("titles_decided", fixture, VOID)
    Season.objects.filter(pk=season.pk).update(state="finished")
    refused("results_are_final", fixture, VOID)


def test_only_settled_results_outside_a_close_are_corrected(four: Season) -> None:
    season = reported(four, [red_wins()])
    refused("result_not_settled", fixture_of(season, 2), VOID)
    Cycle.objects.filter(season=season).update(state="closing")
    refused("cycle_is_closing", fixture_of(season), VOID)


@pytest.mark.parametrize("who", ["referee", "ash", "stranger"])
def test_only_organisers_correct(four: Season, who: str) -> None:
    season = reported(four, [red_wins(), blue_wins()])
    with pytest.raises(PermissionDenied):
        corrections.foresee(fixture_id=fixture_of(season).pk, wanted=VOID, user=person(who))


def test_a_reason_is_needed_and_the_result_must_be_possible(four: Season) -> None:
    season = reported(four, [red_wins(), blue_wins()])
    fixture = fixture_of(season)
    with pytest.raises(Malformed):
        correct(fixture, VOID, reason="  ")
    refused("report_winner_unlikely", fixture, to({**red_wins(), "winner": "blue"}))
    with pytest.raises(Malformed):
        corrections.foresee(fixture_id=fixture.pk, wanted=Wanted("reopen"), user=person(ORGANISER))

    assert Correction.objects.count() == 0


def test_who_took_part_leaves_the_correction_to_another_organiser(four: Season) -> None:
    season = reported(four, [red_wins(), red_wins()])
    fixture = fixture_of(season)
    player = sides_of(fixture)[0].stable.owner
    Season.objects.filter(pk=season.pk).update(organiser=player)
    assert corrections.foresee(fixture_id=fixture.pk, wanted=VOID, user=player).effects
    SeasonRole.objects.create(season=season, user=person("second"), role=SeasonRole.Role.CO_ORGANISER)
    with pytest.raises(SeasonRefused) as caught:
        corrections.foresee(fixture_id=fixture.pk, wanted=VOID, user=player)
    assert caught.value.code == "referee_takes_part"
    assert corrections.foresee(fixture_id=fixture.pk, wanted=VOID, user=person("second")).effects
