"""Line-ups with gear and rally cards: from the garage into the match, sealed, saved, and stood in for."""

from __future__ import annotations

from typing import Any

import pytest

from matches.services.matches import create_match
from rules.competition.setups import read_setup
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset, Crew, Fixture, FixtureSide, LineUp, Season, Stable
from stables.selectors.definitions import definition
from stables.selectors.fixtures import sides_with_line_ups
from stables.services.garage import equipping
from stables.services.line_ups import line_ups, saved
from stables.services.line_ups.match_setup import setup_of
from stables.services.line_ups.sealing import CrewChoice
from stables.services.market import trading
from tests.stables.conftest import open_with
from tests.stables.results.test_settlement import start, tokens_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]

UNIT, SECOND = "SOL003", "SOL005"  # 98 and 100 points
PILOT, OTHER = "P-001", "P-012"
GEAR, TWO_SIDED = "G-034", "G-001"


def buy(stable: Stable, *wares: tuple[str, str]) -> list[int]:
    return [trading.buy(stable_id=stable.pk, kind=kind, key=key).asset_id for kind, key in wares]


def equip(stable: Stable) -> dict[str, int]:
    """Buy two crews, gear on the first unit, and three rally cards of two kinds."""
    names = ("unit", "unit_2", "pilot", "pilot_2", "gear", "card", "card_2", "copy")
    wares = (
        ("unit", UNIT), ("unit", SECOND), ("pilot", PILOT), ("pilot", OTHER), ("gear", GEAR),
        ("rally_card", "R-001"), ("rally_card", "R-002"), ("rally_card", "R-001"),
    )  # fmt: skip
    owned = dict(zip(names, buy(stable, *wares), strict=True))
    equipping.assign(stable_id=stable.pk, asset_id=owned["gear"], unit_id=owned["unit"])
    return owned


Called = tuple[Season, FixtureSide, FixtureSide, dict[str, int]]


def called(release: Any, **settings: Any) -> Called:
    """Two stables that are called for line-ups, both equipped; the sides, and what the first has."""
    season = open_with(release, ["Ash", "Birch"], **settings)
    owned = [equip(stable) for stable in season.stables.order_by("number")]
    [fixture] = start(season)
    first = fixture.sides.get(stable__number=1)
    return season, first, fixture.sides.get(stable__number=2), owned[0]


def submit(side: FixtureSide, season: Season, *crews: CrewChoice, tokens: Any = None) -> line_ups.SealedSide:
    chosen = tokens_of(season) if tokens is None else tokens
    return line_ups.submit(stable_id=side.stable_id, fixture_id=side.fixture_id, crews=crews, tokens=chosen)


def test_q_153_gear_sides_and_hands_go_into_the_match(two_called: Called) -> None:
    season, mine, other, owned = two_called
    [two_sided] = [
        Asset.objects.create(
            stable=mine.stable, kind="gear", catalogue_key=TWO_SIDED, content_hash="", name="Inferno", price_paid=14
        ).pk
    ]
    Asset.objects.filter(pk=owned["gear"]).update(assigned_to=None)
    Asset.objects.filter(pk=two_sided).update(assigned_to=owned["unit"], side="secondary")
    submit(mine, season, CrewChoice(owned["unit"], owned["pilot"], None, (owned["card"], owned["card_2"])))
    line_ups.submit_nearest_legal(stable_id=other.stable_id, fixture_id=other.fixture_id)
    Asset.objects.filter(pk=two_sided).update(side="primary")  # too late
    fixture = Fixture.objects.select_related("round__cycle__season__release").get(pk=mine.fixture_id)
    Stable.objects.filter(pk=mine.stable_id).update(name="\u05e9\u200d Works")
    setup = setup_of(fixture, sides_with_line_ups(fixture))
    assert "\u05e9 Works" in [side["name"] for side in setup["sides"]], "a setup holds no format characters"
    loadout = next(side for side in setup["sides"] if side["id"] == mine.side)["units"][0]
    assert [(card["id"], card["side"]) for card in loadout["gear"]] == [(TWO_SIDED, "secondary")]
    assert [card["id"] for card in loadout["hand"]] == ["R-001", "R-002"]
    assert "owner" not in loadout
    assert read_setup(setup).sides[0].units
    assert create_match(setup, b"s" * 32).setup == setup


@pytest.mark.parametrize(
    ("change", "code"),
    [
        pytest.param({"hand": ("card", "copy")}, "hand_copy", id="R-RAL-02"),
        pytest.param({"hand": ("card", "card")}, "hand_copy", id="one card twice"),
        pytest.param({"hand": ("gear",)}, "unknown_asset", id="gear is no rally card"),
        pytest.param({"gear": ("card",)}, "unknown_asset", id="a rally card is no gear"),
        pytest.param({"gear": ("gear", "gear")}, "unknown_asset", id="gear twice"),
        pytest.param({"unit": "unit_2", "gear": ("gear",)}, "unknown_asset", id="gear of another unit"),
        pytest.param({"points": 60}, "over_build_total", id="R-BLD-08"),
    ],
)
def test_line_ups_that_the_rules_refuse_change_nothing(two_called: Called, change: dict[str, Any], code: str) -> None:
    season, mine, _, owned = two_called
    if "points" in change:
        dear = Asset.objects.create(
            stable=mine.stable, kind="gear", catalogue_key="G-032", content_hash="", name="Shell", price_paid=25
        )
        Asset.objects.filter(pk=owned["gear"]).update(assigned_to=None)
        Asset.objects.filter(pk=dear.pk).update(assigned_to=owned["unit"])
        Asset.objects.filter(pk=owned["unit"]).update(catalogue_key="SOL008")
        code = "gear_requires_class"
    gear = None if "gear" not in change else tuple(owned[name] for name in change["gear"])
    hand = tuple(owned[name] for name in change.get("hand", ()))
    choice = CrewChoice(owned[change.get("unit", "unit")], owned["pilot"], gear, hand)
    with pytest.raises((SeasonRefused, Malformed)) as caught:
        submit(mine, season, choice)
    assert caught.value.code == code
    assert LineUp.objects.count() == 0


def test_r_ral_01_six_cards_are_too_many_for_one_unit_and_ten_serve_two(release: Any) -> None:
    season, mine, _, owned = called(release, cycles=["team"])
    cards = [
        Asset.objects.create(
            stable=mine.stable, kind="rally_card", catalogue_key=f"R-0{key}", content_hash="", name="R", price_paid=10
        ).pk
        for key in range(10, 20)
    ]
    first, second = (CrewChoice(owned["unit"], owned["pilot"]), CrewChoice(owned["unit_2"], owned["pilot_2"]))
    with pytest.raises(SeasonRefused, match="hand_too_large"):
        submit(mine, season, CrewChoice(*_of(first), None, tuple(cards[:6])), second)
    submit(
        mine,
        season,
        CrewChoice(*_of(first), None, tuple(cards[:5])),
        CrewChoice(*_of(second), None, tuple(cards[5:])),
    )
    hands = [crew.cards.filter(asset__kind="rally_card").count() for crew in Crew.objects.order_by("position")]
    assert hands == [5, 5]


def _of(choice: CrewChoice) -> tuple[int, int | None]:
    return choice.unit_id, choice.pilot_id


def test_without_the_house_rule_no_rally_card_is_brought(release: Any) -> None:
    season, mine, _, owned = called(release, house_rules={"rally_cards": False})
    submit(mine, season, CrewChoice(owned["unit"], owned["pilot"], None, (owned["card"],)))
    assert [card.asset.kind for card in Crew.objects.get().cards.all()] == ["gear"]


def test_r_cec_01_gear_may_stay_at_home(two_called: Called) -> None:
    season, mine, _, owned = two_called
    submit(mine, season, CrewChoice(owned["unit"], owned["pilot"], ()))
    assert not Crew.objects.get().cards.exists()


def test_r_fmt_13_capture_the_flag_is_played_without_tokens(release: Any) -> None:
    season, mine, _, owned = called(release, cycles=["capture_the_flag"])
    crews = CrewChoice(owned["unit"], owned["pilot"]), CrewChoice(owned["unit_2"], owned["pilot_2"])
    submit(mine, season, *crews, tokens=[])
    assert LineUp.objects.get().tokens == []


def test_r_dth_01_the_dead_and_the_sold_drive_nothing(two_called: Called) -> None:
    from django.utils import timezone

    season, mine, _, owned = two_called
    Asset.objects.filter(pk=owned["pilot"]).update(died_at=timezone.now())
    with pytest.raises(Malformed, match="unknown_asset"):
        submit(mine, season, CrewChoice(owned["unit"], owned["pilot"]))
    line_ups.submit_nearest_legal(stable_id=mine.stable_id, fixture_id=mine.fixture_id)
    assert Crew.objects.get().pilot_id == owned["pilot_2"]


def test_r_for_04_only_who_owes_no_match_may_forfeit_it(two_called: Called) -> None:
    season, mine, _, owned = two_called
    with pytest.raises(SeasonRefused, match="duty_to_play"):
        line_ups.decline(stable_id=mine.stable_id, fixture_id=mine.fixture_id)
    units = Asset.objects.filter(stable=mine.stable, kind="unit")
    dial = definition(season, "unit", UNIT)["dial"]
    salvage = next(click for click in range(len(dial)) if "salvage" in str(dial[click]["equipment"]))
    units.filter(pk=owned["unit"]).update(damage=salvage)
    units.filter(pk=owned["unit_2"]).update(is_eliminated=True)
    assert line_ups.decline(stable_id=mine.stable_id, fixture_id=mine.fixture_id).forfeits == "unable", "Q-155"


class TestStandIns:
    """Q-157: a missed line-up is the saved one, else the nearest legal one."""

    def save(self, side: FixtureSide, season: Season, *crews: CrewChoice, tokens: Any = None) -> None:
        saved.save(
            stable_id=side.stable_id,
            match_class="light",
            format_name="standard",
            crews=crews,
            tokens=tokens_of(season) if tokens is None else tokens,
        )

    def miss(self, side: FixtureSide) -> LineUp:
        line_ups.submit_nearest_legal(stable_id=side.stable_id, fixture_id=side.fixture_id)
        return LineUp.objects.get(side=side)

    def test_the_saved_one_as_it_is(self, two_called: Called) -> None:
        season, mine, _, owned = two_called
        crew = CrewChoice(owned["unit_2"], owned["pilot"], None, (owned["card_2"],))
        self.save(mine, season, crew)
        line_up = self.miss(mine)
        found = line_up.crews.get()
        assert (line_up.source, found.unit_id, found.pilot_id) == ("saved", owned["unit_2"], owned["pilot"])
        assert [card.asset_id for card in found.cards.all()] == [owned["card_2"]]
        assert line_up.tokens == tokens_of(season)

    def test_the_nearest_when_its_unit_is_eliminated(self, two_called: Called) -> None:
        season, mine, _, owned = two_called
        self.save(mine, season, CrewChoice(owned["unit_2"], owned["pilot"], None, (owned["card_2"],)))
        Asset.objects.filter(pk=owned["unit_2"]).update(is_eliminated=True)
        line_up = self.miss(mine)
        found = line_up.crews.get()
        assert (line_up.source, found.unit_id, found.pilot_id) == ("nearest", owned["unit"], owned["pilot"])
        assert {card.asset_id for card in found.cards.all()} == {owned["gear"], owned["card_2"]}

    def test_one_saved_for_another_format_says_nothing(self, two_called: Called) -> None:
        season, mine, _, owned = two_called
        saved.save(
            stable_id=mine.stable_id,
            match_class="light",
            format_name="weapons_dead",
            crews=[CrewChoice(owned["unit_2"], owned["pilot"])],
            tokens=tokens_of(season),
        )
        assert self.miss(mine).source == "nearest"

    def test_it_forfeits_only_where_none_is_legal(self, two_called: Called) -> None:
        season, mine, _, owned = two_called
        self.save(mine, season, CrewChoice(owned["unit"], owned["pilot"]))
        Asset.objects.filter(stable=mine.stable, kind="unit").update(is_eliminated=True)
        line_ups.submit_nearest_legal(stable_id=mine.stable_id, fixture_id=mine.fixture_id)
        mine.refresh_from_db()
        assert mine.forfeits == "unable"


def share_a_side(release: Any) -> tuple[Season, Fixture]:
    """A team match of two stables against two, one unit each (R-FMT-05)."""
    season = open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"], cycles=["team"])
    for stable in season.stables.all():
        buy(stable, ("unit", UNIT), ("unit", "SOL025"), ("pilot", PILOT), ("pilot", "GS-061"), ("rally_card", "R-001"))
    fixture, other = start(season)
    for number, side in enumerate([*fixture.sides.order_by("id"), *other.sides.order_by("id")]):
        FixtureSide.objects.filter(pk=side.pk).update(fixture=fixture, side=("red", "blue")[number % 2])
    other.delete()
    return season, fixture


def test_q_168_each_of_two_stables_brings_a_unit_three_tokens_and_a_hand_of_its_own(release: Any) -> None:
    season, fixture = share_a_side(release)
    for side in fixture.sides.all():
        assets = {asset.catalogue_key: asset.pk for asset in side.stable.assets.all()}
        two = [CrewChoice(assets[UNIT], assets[PILOT]), CrewChoice(assets["SOL025"], assets["GS-061"])]
        with pytest.raises(SeasonRefused, match="line_up_size"):
            submit(side, season, *two)
        submit(side, season, CrewChoice(assets[UNIT], assets[PILOT], None, (assets["R-001"],)))
    fixture.refresh_from_db()
    assert fixture.state == "sealed"
    setup = setup_of(fixture, sides_with_line_ups(fixture))
    red = next(side for side in setup["sides"] if side["id"] == "red")
    names = [side.stable.name for side in fixture.sides.filter(side="red").order_by("id")]
    assert [(unit["id"], unit["owner"]) for unit in red["units"]] == [("red-1", names[0]), ("red-2", names[1])]
    assert [[card["id"] for card in unit["hand"]] for unit in red["units"]] == [["R-001"], ["R-001"]]
    assert len(red["tokens"]) == 6
    read = read_setup(setup)
    assert len(read.owners) == 4


def test_q_168_q_113_of_two_equal_uniques_on_one_side_the_lower_die_changes(release: Any) -> None:
    season, fixture = share_a_side(release)
    for side in fixture.sides.all():
        assets = {asset.catalogue_key: asset.pk for asset in side.stable.assets.all()}
        unit, pilot = ("SOL025", PILOT) if side.side == "red" else (UNIT, PILOT)
        submit(side, season, CrewChoice(assets[unit], assets[pilot]))
    crews = Crew.objects.filter(line_up__side__fixture=fixture, line_up__side__side="red").select_related("unit")
    assert sorted(crew.unit.catalogue_key for crew in crews) == [UNIT, "SOL025"]
    assert sorted(crew.line_up.source for crew in crews) == ["nearest", "owner"]
    blue = LineUp.objects.filter(side__fixture=fixture, side__side="blue")
    assert {line_up.source for line_up in blue} == {"owner"}, "what is no Unique may come twice"
    assert season.log.filter(code="unique_shared_changed").count() == 1


def test_q_168_where_neither_can_change_the_lower_die_stays_out(release: Any) -> None:
    season, fixture = share_a_side(release)
    Asset.objects.filter(catalogue_key=UNIT).update(is_eliminated=True)
    for side in fixture.sides.all():
        assets = {asset.catalogue_key: asset.pk for asset in side.stable.assets.all()}
        submit(side, season, CrewChoice(assets["SOL025"], assets[PILOT]))
    fixture.refresh_from_db()
    forfeits = sorted((side.side, side.forfeits) for side in fixture.sides.all())
    assert forfeits == [("blue", ""), ("blue", "unable"), ("red", ""), ("red", "unable")]
    assert fixture.state == "sealed"
    assert season.log.filter(code="unique_shared_stays_out").count() == 2
