"""What is asked beforehand counts once it is put and not before: its answers, its faults, and who hung."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from matches.services.patience import without_clocks
from rules.bots.guard import Overran
from stables.services.ai.guarded import MOST_QUESTIONS, Ask, OwnerQuery, answered, ask, ask_together

pytestmark = pytest.mark.database

ANSWER, DEFAULT = "answer", "default"


@pytest.fixture(autouse=True)
def _without_clocks() -> Iterator[None]:
    """Who hangs says so by himself: no test waits, and none depends on how fast the machine is."""
    with without_clocks():
        yield


class Owner:
    """An owner that does what it is told to, and knows what it was asked."""

    def __init__(self, **does: Callable[[], Any]) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self._does = does

    def question(self, decision: str, *facts: Any) -> OwnerQuery:
        def answer() -> Any:
            self.asked.append((decision, *facts))
            name = "_".join([decision, *map(str, facts)])
            return self._does[name]() if name in self._does else [ANSWER]

        return OwnerQuery(
            decision,
            "Ash",
            "owner:balanced",
            "cycle 1",
            facts,
            ask=answer,
            read=lambda given: given[0],
            default=lambda: DEFAULT,
        )


def hangs() -> Any:
    raise Overran


def raises() -> Any:
    raise ValueError("no idea")


def foreseeing(*questions: OwnerQuery) -> Callable[[Ask], None]:
    def foresee(ask_ahead: Ask) -> None:
        for question in questions:
            ask_ahead(question)

    return foresee


def putting(*questions: OwnerQuery) -> Callable[[], list[Any]]:
    return lambda: [ask(question) for question in questions]


def faults(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, str]]:
    """What the log is told of owners: how loudly, which decision, and what was wrong."""
    lines: list[Any] = [line for line in caplog.records if line.name == "stables.owners"]
    return [(line.levelname, line.decision, line.fault) for line in lines]


def test_what_is_foreseen_and_put_is_asked_once() -> None:
    owner = Owner()
    sales, basket = owner.question("sales"), owner.question("basket")
    assert answered(putting(sales, basket), foreseeing(sales, basket, sales))() == [ANSWER, ANSWER]
    assert owner.asked == [("sales",), ("basket",)]


def test_other_facts_are_another_question() -> None:
    owner = Owner(sales_2=lambda: ["anew"])
    assert answered(putting(owner.question("sales", 2)), foreseeing(owner.question("sales", 1)))() == ["anew"]
    assert owner.asked == [("sales", 1), ("sales", 2)]


def test_who_hangs_beforehand_over_what_is_never_put_is_as_if_he_had_not_been_asked(
    caplog: pytest.LogCaptureFixture,
) -> None:
    owner = Owner(sales_1=hangs)
    foresee = foreseeing(owner.question("sales", 1), owner.question("basket", 1))
    real = putting(owner.question("sales", 2), owner.question("basket", 2))
    assert answered(real, foresee)() == [ANSWER, ANSWER]
    assert owner.asked == [("sales", 1), ("sales", 2), ("basket", 2)], "foreseeing ended with who hung"
    assert faults(caplog) == [("WARNING", "sales", "overran")]
    assert "never put" in caplog.records[0].getMessage()
    assert "default was taken" not in caplog.records[0].getMessage()


def test_who_hangs_beforehand_over_what_is_put_is_not_waited_for_again(caplog: pytest.LogCaptureFixture) -> None:
    owner = Owner(sales=hangs, basket=hangs)
    sales, basket = owner.question("sales"), owner.question("basket")
    assert answered(putting(sales, basket), foreseeing(sales, basket))() == [DEFAULT, DEFAULT]
    assert owner.asked == [("sales",)]
    assert faults(caplog) == [("ERROR", "sales", "overran")]


def test_until_what_he_hung_over_is_put_the_owner_is_asked() -> None:
    owner = Owner(sales=hangs)
    sales, basket, gear = (owner.question(name) for name in ("sales", "basket", "gear"))
    assert answered(putting(basket, sales, gear), foreseeing(sales))() == [ANSWER, DEFAULT, DEFAULT]
    assert owner.asked == [("sales",), ("basket",)]


def test_what_he_hung_over_may_be_put_together_with_others() -> None:
    owner = Owner(gear=hangs)
    gear, priority = owner.question("gear"), owner.question("priority")

    def both() -> list[Any]:
        ask_together(gear, None, priority)
        return [ask(gear), ask(priority)]

    assert answered(both, foreseeing(gear))() == [DEFAULT, DEFAULT]
    assert owner.asked == [("gear",)]


def test_who_hangs_beforehand_and_again_is_waited_for_twice_at_most() -> None:
    owner = Owner(**{f"sales_{number}": hangs for number in range(5)})
    foresee = foreseeing(owner.question("sales", 0), owner.question("sales", 1))
    assert answered(putting(*(owner.question("sales", number) for number in (2, 3, 4))), foresee)() == [DEFAULT] * 3
    assert owner.asked == [("sales", 0), ("sales", 2)]


def test_foreseeing_that_goes_on_after_somebody_hung_asks_nobody() -> None:
    owner = Owner(sales=hangs)
    sales, basket = owner.question("sales"), owner.question("basket")

    def stubborn(ask_ahead: Ask) -> None:
        for question in (sales, basket):
            try:
                ask_ahead(question)
            except Exception:
                continue

    assert answered(putting(sales, basket), stubborn)() == [DEFAULT, DEFAULT]
    assert owner.asked == [("sales",)]


@pytest.mark.parametrize(("does", "fault"), [(raises, "raised"), (dict, "illegal")], ids=["raises", "gives no answer"])
def test_a_fault_is_told_when_its_default_is_taken_and_less_loudly_when_it_never_is(
    caplog: pytest.LogCaptureFixture, does: Callable[[], Any], fault: str
) -> None:
    owner = Owner(sales_1=does)
    foresee = foreseeing(owner.question("sales", 1), owner.question("basket"))
    assert answered(putting(owner.question("sales", 1), owner.question("basket")), foresee)() == [DEFAULT, ANSWER]
    assert owner.asked == [("sales", 1), ("basket",)]
    assert answered(putting(owner.question("sales", 2)), foresee)() == [ANSWER]
    assert faults(caplog) == [("ERROR", "sales", fault), ("WARNING", "sales", fault)]
    assert all(line.exc_info for line in caplog.records)


def test_what_is_never_put_takes_no_place_of_what_is() -> None:
    owner = Owner()
    foresee = foreseeing(*(owner.question("foreseen", number) for number in range(MOST_QUESTIONS + 2)))
    real = [owner.question("real", number) for number in range(MOST_QUESTIONS + 1)]
    assert answered(putting(*real), foresee)() == [ANSWER] * MOST_QUESTIONS + [DEFAULT]


def test_foreseeing_that_fails_is_told_and_what_was_answered_before_stands(caplog: pytest.LogCaptureFixture) -> None:
    owner = Owner()
    sales, basket = owner.question("sales"), owner.question("basket")

    def fails(ask_ahead: Ask) -> None:
        ask_ahead(sales)
        raise LookupError("a row that is gone")

    assert answered(putting(sales, basket), fails)() == [ANSWER, ANSWER]
    assert owner.asked == [("sales",), ("basket",)]
    [line] = caplog.records
    assert line.levelname == "ERROR"
    assert line.exc_info is not None
    assert line.exc_info[0] is LookupError
    assert not hasattr(line, "fault"), "no owner is blamed"


def test_who_stops_the_process_stops_the_foreseeing_too(caplog: pytest.LogCaptureFixture) -> None:
    def interrupted(_: Ask) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answered(putting(), interrupted)()
    assert caplog.records == []
