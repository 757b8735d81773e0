"""Draws, sealed line-ups, forfeits, and the one settlement."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.models import Job
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset, Fixture, FixtureSide, LineUp, ReputationEntry, Result, Round, Season
from stables.services.fixtures import pairing, rounds
from stables.services.line_ups import line_ups
from stables.services.line_ups.sealing import CrewChoice
from stables.services.results import settlement
from tests.stables.conftest import first_round, open_with, pair, type_in

pytestmark = pytest.mark.database


def start(season: Season) -> list[Fixture]:
    """Pair round 1 and hand in nothing."""
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    drawn = pairing.pair_round(cycle_id=season.cycles.get().pk, number=1)
    return list(Fixture.objects.filter(pk__in=drawn.fixture_ids).order_by("number"))


def tokens_of(season: Season) -> list[str]:
    from rules.campaign.line_ups.tokens import TokenChoices
    from stables.selectors.definitions import catalogue_of

    return list(TokenChoices.of(catalogue_of(season).target_tokens.values(), 30)[0])


def crew_of(side: FixtureSide) -> CrewChoice:
    assets = Asset.objects.filter(stable=side.stable, sold_at=None).order_by("id")
    return CrewChoice(assets.filter(kind="unit")[0].pk, assets.filter(kind="pilot")[0].pk)


def test_a_round_is_paired_once_and_the_draw_depends_on_the_secret_alone(release: Any) -> None:
    pairs = []
    for secret in (b"1" * 32, b"1" * 32, b"2" * 32, b"3" * 32):
        season = open_with(release, list("ABCDEF"), secret)
        first = pairing.pair_round(cycle_id=season.cycles.get().pk, number=1)
        assert pairing.pair_round(cycle_id=season.cycles.get().pk, number=1) == first
        sides = FixtureSide.objects.filter(fixture__in=first.fixture_ids).order_by("fixture__number", "id")
        arenas = Fixture.objects.filter(pk__in=first.fixture_ids).order_by("number").values_list("arena_key", flat=True)
        pairs.append((list(sides.values_list("stable__number", flat=True)), list(arenas)))
    assert pairs[0] == pairs[1]
    assert len({str(one) for one in pairs}) == 3
    cycle = season.cycles.get()
    assert (cycle.state, cycle.started_with, cycle.rounds_planned) == ("rounds", 6, 3)


def test_q_158_an_odd_stable_has_a_bye_and_banks_nothing(release: Any) -> None:
    season = open_with(release, list("ABCDE"))
    drawn = pairing.pair_round(cycle_id=season.cycles.get().pk, number=1)
    bye = Fixture.objects.get(round_id=drawn.round_id, kind="bye")
    assert (bye.state, bye.sides.get().stable.number, len(drawn.fixture_ids)) == ("settled", drawn.bye, 2)
    assert ReputationEntry.objects.count() == 0


def test_r_cyc_12_a_line_up_is_sealed_once(stocked: Season) -> None:
    fixture = start(stocked)[0]
    side = fixture.sides.first()
    choice, tokens = crew_of(side), tokens_of(stocked)
    sealed = line_ups.submit(stable_id=side.stable_id, fixture_id=fixture.pk, crews=[choice], tokens=tokens)
    assert not sealed.fixture_is_sealed
    with pytest.raises(SeasonRefused) as caught:
        line_ups.submit(stable_id=side.stable_id, fixture_id=fixture.pk, crews=[choice], tokens=tokens)
    assert caught.value.code == "line_up_sealed"
    other = fixture.sides.last()
    sealed = line_ups.submit(stable_id=other.stable_id, fixture_id=fixture.pk, crews=[crew_of(other)], tokens=tokens)
    assert sealed.fixture_is_sealed
    assert Job.objects.filter(name="stables.play_fixture", payload__fixture=fixture.pk).count() == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"tokens": []}, "tokens_not_allowed"),
        ({"tokens": ["T-1"] * 3}, "unknown_catalogue_entry"),
        ({"pilot": None}, "pilot_missing"),
        ({"pilot": "rival"}, "unknown_asset"),
        ({"unit": "eliminated"}, "unit_eliminated"),
        ({"unit": "sits out"}, "unit_sits_out"),
        ({"crews": 0}, "line_up_size"),
        ({"crews": 2}, "unit_twice"),
    ],
)
def test_line_ups_that_the_rules_refuse(stocked: Season, change: dict[str, Any], code: str) -> None:
    fixture = start(stocked)[0]
    side, rival = fixture.sides.all()
    choice = crew_of(side)
    if change.get("unit") == "eliminated":
        Asset.objects.filter(pk=choice.unit_id).update(is_eliminated=True)
    if change.get("unit") == "sits out":
        Asset.objects.filter(pk=choice.unit_id).update(sits_out_cycle=1, sits_out_round=1)
    if "pilot" in change:
        choice = CrewChoice(choice.unit_id, None if change["pilot"] is None else crew_of(rival).pilot_id)
    with pytest.raises((SeasonRefused, Malformed)) as caught:
        line_ups.submit(
            stable_id=side.stable_id,
            fixture_id=fixture.pk,
            crews=[choice] * change.get("crews", 1),
            tokens=change.get("tokens", tokens_of(stocked)),
        )
    assert caught.value.code == code
    assert LineUp.objects.count() == 0


def test_r_cyc_05_06_q_125_settlement_banks_the_winner_and_all_kills(sealed: Season) -> None:
    fixture = first_round(sealed)[0]
    type_in(
        fixture,
        "red",
        (95, 60),
        units={"red": {"clicks": 3, "kills": 1}, "blue": {"clicks": 99, "eliminated": True, "kills": 2}},
    )
    settled = settlement.settle_fixture(fixture_id=fixture.pk)
    assert settled.is_new
    red, blue = fixture.sides.order_by("id")
    entries = {
        (entry.stable_id, entry.asset_id): (entry.amount, entry.kills, entry.wins, entry.matches, entry.cause)
        for entry in ReputationEntry.objects.all()
    }
    red_crew, blue_crew = red.line_up.crews.get(), blue.line_up.crews.get()
    assert entries == {
        (red.stable_id, None): (95, 1, 1, 1, "win"),
        (red.stable_id, red_crew.pilot_id): (95, 1, 0, 0, "win"),
        (blue.stable_id, None): (0, 2, 0, 1, "loss"),
        (blue.stable_id, blue_crew.pilot_id): (0, 2, 0, 0, "loss"),
    }
    red_unit, blue_unit = Asset.objects.get(pk=red_crew.unit_id), Asset.objects.get(pk=blue_crew.unit_id)
    assert (red_unit.damage, red_unit.is_eliminated, blue_unit.is_eliminated) == (3, False, True)
    assert settled.document["sides"]["red"] == {
        "stable": red.stable.number,
        "reputation": 95,
        "kills": 1,
        "surrendered": False,
        "forfeits": "",
        "banked": 95,
        "individuals": {red_crew.pilot.code: {"reputation": 95, "kills": 1}},
    }


def test_settling_twice_is_settling_once(sealed: Season) -> None:
    fixture = first_round(sealed)[0]
    type_in(fixture, units={"red": {"clicks": 3}})
    first = settlement.settle_fixture(fixture_id=fixture.pk)
    before = list(ReputationEntry.objects.values_list("pk", "amount"))
    again = settlement.settle_fixture(fixture_id=fixture.pk)
    assert (again.is_new, again.document) == (False, first.document)
    assert list(ReputationEntry.objects.values_list("pk", "amount")) == before
    assert Result.objects.count() == 1


def test_an_unfinished_fixture_is_not_settled(sealed: Season) -> None:
    fixture = first_round(sealed)[0]
    with pytest.raises(SeasonRefused):
        settlement.settle_fixture(fixture_id=fixture.pk)
    assert Result.objects.count() == 0


def test_the_last_settlement_of_a_round_asks_for_what_follows_once(sealed: Season) -> None:
    fixtures = first_round(sealed)
    for fixture in fixtures:
        type_in(fixture)
        assert Job.objects.filter(name="stables.advance_round").count() == 0
        settlement.settle_fixture(fixture_id=fixture.pk)
    settlement.settle_fixture(fixture_id=fixtures[0].pk)
    assert Job.objects.filter(name="stables.advance_round").count() == 1
    assert Round.objects.get().state == "settled"


def test_d_55_r_sur_03_05_surrender(sealed: Season) -> None:
    fixture = first_round(sealed)[0]
    type_in(fixture, "red", (90, 13), ended_by="surrender", surrendered="blue")
    document = settlement.settle_fixture(fixture_id=fixture.pk).document
    assert (document["sides"]["blue"]["banked"], document["sides"]["blue"]["surrendered"]) == (13, True)
    assert list(document["sides"]["blue"]["individuals"].values()) == [{"reputation": 13, "kills": 0}]
    assert document["sides"]["red"]["banked"] == 90


def test_q_125_switch_loser_keeps_reputation(release: Any) -> None:
    from stables.services.ai import owners

    season = open_with(release, ["Ash", "Birch"], loser_keeps_reputation=True)
    for stable in season.stables.all():
        owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
    fixture = pair(season)[0]
    type_in(fixture, "red", (95, 60))
    assert settlement.settle_fixture(fixture_id=fixture.pk).document["sides"]["blue"]["banked"] == 60


def test_w_18_r_for_02_03_a_stable_without_a_unit_forfeits(stocked: Season) -> None:
    fixture = start(stocked)[0]
    unable, other = fixture.sides.order_by("id")
    Asset.objects.filter(stable=unable.stable, kind="unit").update(is_eliminated=True)
    pilots = Asset.objects.filter(stable=unable.stable, kind="pilot", sold_at=None).count()
    for side in (unable, other):
        line_ups.submit_nearest_legal(stable_id=side.stable_id, fixture_id=fixture.pk)
    assert Job.objects.filter(name="stables.settle_fixture", payload__fixture=fixture.pk).count() == 1
    document = settlement.settle_fixture(fixture_id=fixture.pk).document
    shares = document["sides"]
    assert (document["ended_by"], document["winner"]) == ("forfeit", other.side)
    assert (shares[other.side]["banked"], shares[unable.side]["banked"], shares[unable.side]["forfeits"]) == (
        70,
        30,
        "unable",
    )
    assert [one["reputation"] for one in shares[unable.side]["individuals"].values()] == [-(-30 // pilots)] * pilots
    assert [one["reputation"] for one in shares[other.side]["individuals"].values()] == [70]
    entry = ReputationEntry.objects.get(stable=other.stable, asset=None)
    assert (entry.wins, entry.matches, entry.kills) == (1, 1, 0)


@pytest.mark.parametrize("unplayed", ["forfeit", "ai"])
def test_q_157_calling_time_chooses_missing_line_ups_and_only_the_unable_forfeit(release: Any, unplayed: str) -> None:
    from stables.services.ai import owners

    season = open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"], unplayed=unplayed, absence_pays=0)
    for stable in season.stables.exclude(number=4):
        owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
    fixtures = start(season)
    called = rounds.call_time(round_id=fixtures[0].round_id)
    assert (called.forfeited, sorted(called.nominated)) == ((4,), [1, 2, 3])
    assert rounds.call_time(round_id=fixtures[0].round_id) == rounds.CalledTime((), ())
    assert {line_up.source for line_up in LineUp.objects.all()} == {"nearest"}
    for fixture in fixtures:
        fixture.refresh_from_db()
        assert fixture.state == "sealed"
    unable = FixtureSide.objects.get(stable__number=4)
    assert unable.forfeits == "unable"
    document = settlement.settle_fixture(fixture_id=unable.fixture_id).document
    assert document["winner"] == unable.fixture.sides.exclude(pk=unable.pk).get().side
    assert document["sides"][unable.side]["banked"] == 0, "it never owned a ’Mech, so it did not appear"


def test_r_crp_09_a_unit_that_sits_out_is_not_nominated(stocked: Season) -> None:
    fixture = start(stocked)[0]
    side = fixture.sides.first()
    units = Asset.objects.filter(stable=side.stable, kind="unit")
    keep = units.first()
    units.exclude(pk=keep.pk).update(sits_out_cycle=1, sits_out_round=1)
    line_ups.submit_nearest_legal(stable_id=side.stable_id, fixture_id=fixture.pk)
    assert side.line_up.crews.get().unit_id == keep.pk


def test_settlement_takes_the_same_queries_for_any_season(release: Any, django_assert_max_num_queries: Any) -> None:
    from stables.services.ai import owners

    for count in (4, 8):
        season = open_with(release, list("ABCDEFGH")[:count])
        for stable in season.stables.all():
            owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
        fixture = pair(season)[0]
        type_in(fixture)
        with django_assert_max_num_queries(20):
            settlement.settle_fixture(fixture_id=fixture.pk)
