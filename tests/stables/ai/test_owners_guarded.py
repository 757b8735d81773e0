"""AI owners that raise, answer nonsense or spend their budget: the default is taken, and the log says so."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from jobs.models import Job
from jobs.services import run_pending
from rules.bots.budget import Overran
from rules.bots.owners.garage import Mounting
from rules.bots.owners.line_ups import LineUpChoice
from rules.bots.owners.shopping import Purchase
from stables.models import Asset, FixtureSide, LineUp, Season
from stables.services.ai import owners, solo
from stables.services.ai.exhibitions import open_exhibition
from stables.services.base.ledger import refold
from tests.stables.conftest import open_with
from tests.stables.results.test_settlement import start

CHOOSERS = ("choose_basket", "choose_gear", "choose_repairs", "choose_sales", "useless_units", "repair_priority")


def raising(*_: Any) -> Any:
    raise ValueError("no idea")


def overrunning(*_: Any) -> Any:
    raise Overran


def endless(*_: Any) -> Iterator[str]:
    while True:
        yield "unit:nothing:1"


NONSENSE: list[Any] = [
    None, 7, "pass", ["unit:nothing:1"], [None], [()], {"unit": 1}, object(), [Purchase("unit", "nothing")],
    [Mounting("gear:nothing:1", "unit:nothing:1", "")], LineUpChoice((), (), ()), [[]],
]  # fmt: skip


@pytest.fixture
def lines() -> Iterator[list[Any]]:
    """What is logged of owners."""
    found: list[logging.LogRecord] = []

    class Keeps(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record)

    logger, handler = logging.getLogger("stables.owners"), Keeps()
    logger.addHandler(handler)
    yield found
    logger.removeHandler(handler)


def shop(season: Season) -> list[str]:
    bought = []
    for stable in season.stables.order_by("number"):
        bought += owners.shop(stable_id=stable.pk, cycle_id=season.cycles.get().pk)
    return bought


def fielded(season: Season) -> list[FixtureSide]:
    """Start a round of stables that are equipped, and let each prepare."""
    [fixture] = start(season)
    for stable in season.stables.order_by("number"):
        owners.prepare(stable_id=stable.pk, fixture_id=fixture.pk)
    return list(FixtureSide.objects.filter(fixture=fixture).order_by("stable__number"))


@pytest.mark.django_db
def test_an_owner_that_does_nothing_wrong_does_not_hear_of(release: Any, lines: list[Any]) -> None:
    season = open_with(release, ["Ash", "Birch"])
    assert shop(season)
    assert all(hasattr(side, "line_up") for side in fielded(season))
    assert lines == []


@pytest.mark.django_db
@pytest.mark.parametrize("decides", [raising, endless, *[lambda *_, answer=answer: answer for answer in NONSENSE]])
def test_whatever_else_an_owner_answers_in_the_market_nothing_is_bought(
    release: Any, lines: list[Any], monkeypatch: pytest.MonkeyPatch, decides: Any
) -> None:
    season = open_with(release, ["Ash", "Birch"])
    for name in CHOOSERS:
        monkeypatch.setattr(owners, name, decides)
    assert shop(season) == []
    assert Asset.objects.count() == 0
    basket_lines = [line for line in lines if line.decision == "basket"]
    assert [(line.levelname, line.side, line.bot) for line in basket_lines] == [
        ("ERROR", "Ash", "owner:balanced"), ("ERROR", "Birch", "owner:balanced"),
    ]  # fmt: skip
    assert {line.fault for line in basket_lines} == {"raised" if decides is raising else "illegal"}
    assert refold() == []


@pytest.mark.django_db
@pytest.mark.parametrize("decides", [raising, *[lambda *_, answer=answer: answer for answer in NONSENSE]])
def test_whatever_else_an_owner_fields_the_first_legal_line_up_stands(
    release: Any, lines: list[Any], monkeypatch: pytest.MonkeyPatch, decides: Any
) -> None:
    season = open_with(release, ["Ash", "Birch"])
    shop(season)
    monkeypatch.setattr(owners, "choose_line_up", decides)
    sides = fielded(season)
    assert [side.forfeits for side in sides] == ["", ""]
    for side in sides:
        assert side.line_up.source == LineUp.Source.OWNER
        assert side.line_up.crews.count() == 1
        assert len(set(side.line_up.tokens)) == 3
    assert {(line.decision, line.levelname) for line in lines} == {("line_up", "ERROR")}
    assert len(lines) == 2


@pytest.mark.django_db
def test_too_dear_a_basket_and_a_unique_twice_are_nonsense(
    release: Any, lines: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    season = open_with(release, ["Ash", "Birch"])

    def twice(wares: Any, *_: Any) -> list[Purchase]:
        unique = next(offer.unit for offer in wares.offers if offer.unit["rank"] == "unique")
        return [Purchase("unit", unique["id"])] * 2

    def dear(wares: Any, *_: Any) -> list[Purchase]:
        return [Purchase("unit", wares.offers[0].unit["id"])] * 100

    for decides in (twice, dear):
        monkeypatch.setattr(owners, "choose_basket", decides)
        assert shop(season) == []
    assert {line.fault for line in lines} == {"illegal"}
    assert len(lines) == 4


@pytest.mark.django_db
def test_what_cannot_be_carried_out_is_taken_back_and_the_rest_is_done(
    release: Any, lines: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    season = open_with(release, ["Ash", "Birch"])
    season.stables.update(character="reckless")

    def all_on_one(means: Any, terms: Any) -> list[Mounting]:
        return [Mounting(card.key, means.units[0].key, "nowhere") for card in means.gear]

    monkeypatch.setattr(owners, "choose_gear", all_on_one)
    assert shop(season)
    assert not Asset.objects.filter(kind="gear").exclude(assigned_to=None).exists()
    assert {(line.decision, line.fault) for line in lines} == {("gear", "illegal")}


@pytest.mark.django_db
def test_damage_is_not_repaired_where_the_owner_fails(
    release: Any, lines: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    season = open_with(release, ["Ash", "Birch"])
    shop(season)
    [fixture] = start(season)
    Asset.objects.filter(kind="unit").update(damage=1)
    monkeypatch.setattr(owners, "choose_repairs", raising)
    assert not owners.prepare(stable_id=season.stables.get(number=1).pk, fixture_id=fixture.pk)
    assert not Asset.objects.filter(kind="unit").exclude(damage=1).exists()
    assert [line.decision for line in lines] == ["repairs"]
    assert lines[0].exc_info[0] is ValueError


@pytest.mark.django_db
def test_a_person_who_wants_to_be_made_ready_is_not_held_up_either(
    release: Any, lines: list[Any], monkeypatch: pytest.MonkeyPatch, django_user_model: Any
) -> None:
    player = django_user_model.objects.create_user("ada", "ada@example.org", "-")
    monkeypatch.setattr(owners, "choose_basket", raising)
    evening = solo.open_evening(player=player, stable_name="Mine", ready_made=True)
    assert evening.bought == ()
    assert Season.objects.count() == 1
    assert lines[0].side == "Mine"


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_an_owner_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    open_exhibition(name="E", stables=4, weight_class="light", cycles=1, seed=1, bot="random")
    asked = []
    for name in (*CHOOSERS, "choose_line_up"):
        kept = getattr(owners, name)

        def looking(*arguments: Any, name: str = name, kept: Any = kept) -> Any:
            asked.append((name, connection.in_atomic_block))
            return kept(*arguments)

        monkeypatch.setattr(owners, name, looking)
    run_pending(limit=2)
    assert {name for name, _ in asked} >= {"choose_basket", "choose_line_up", "choose_sales"}
    assert {is_inside for _, is_inside in asked} == {False}
    assert len([name for name, _ in asked if name == "choose_basket"]) == 4, "each was asked once"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("decides", [raising, overrunning])
def test_a_season_of_owners_that_fail_is_played_on(
    decides: Any, monkeypatch: pytest.MonkeyPatch, lines: list[Any]
) -> None:
    season = open_exhibition(name="E", stables=4, weight_class="light", cycles=1, seed=1, bot="random")
    run_pending(limit=1)
    for name in (*CHOOSERS, "choose_line_up"):
        monkeypatch.setattr(owners, name, decides)
    run_pending(limit=1)
    assert not Job.objects.exclude(error_code="").exists()
    assert season.stables.filter(fixture_sides__line_up__isnull=False).count() == 4
    assert len([line for line in lines if line.decision == "line_up"]) == 4
