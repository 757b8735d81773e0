"""Notices that ask for an act: those of which nothing is left to do are marked as done, whoever did it.

Each app registers how it sees that, for its own codes:

    acts.register(["line_up_due"], line_ups_done)     # in AppConfig.ready

The function gets notices of these codes, with their people, and returns the ids of those with nothing left to do. What
a notice is about are its address and its parameters. It looks after every act of a person, and at every tick at what
others did or time decided. So no act has to know of the notices that ask for it.

A notice that asks again for the same act takes the place of the older ones, which are done. Where an act has to be
done again, because what was done is taken back, its service opens the newest notice again (`open_again`).

Deadlines move after a notice is written. The same look writes the present one into the notices that stay open: as
`due_at`, by which mails and desk go, and into their parameters, so that their sentence says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from people.models import OPEN_ACT, Notice
from people.text.notices import deadline_name

Check = Callable[[Sequence[Notice]], Iterable[int]]
Place = Callable[[Notice], object]
Due = Callable[[Sequence[Notice]], Mapping[int, datetime | None]]

MOST_AT_ONCE = 1000
"""The most notices that are looked at together; a look begins with the newest and goes on to the oldest."""

_checks: dict[str, Check] = {}
_deadlines: dict[str, Due] = {}
_names: dict[str, tuple[str, Place, Sequence[str]]] = {}
"""Code -> the name of its act, its place, and the parameters that tell acts of one name and place apart."""


def _address(notice: Notice) -> object:
    return notice.url


def register(
    codes: Iterable[str],
    check: Check,
    *,
    apart: Sequence[str] = (),
    act: str = "",
    place: Place = _address,
    due: Due | None = None,
) -> None:
    """Let an app say which notices of these codes have nothing left to do.

    A person has one act for each code, place and values of the parameters `apart`. Codes with the same name `act` ask
    for one act together. The place is the address, unless `place` returns another for notices of several addresses.
    `due` returns by the ids of notices until when they ask by now, None for no time; what it leaves out stays.
    """
    for code in codes:
        if due is not None:
            _deadlines[code] = due
        _checks[code], _names[code] = check, (act or code, place, apart)


def checked() -> set[str]:
    """Return the codes that some app looks after."""
    return set(_checks)


def open_acts() -> QuerySet[Notice]:
    """Return the notices that ask for an act that is not done, read or not."""
    return Notice.objects.filter(OPEN_ACT)


def open_again(user_id: int, act: str, place: object, apart: Sequence[object] = ()) -> None:
    """Let the newest notice to a person for an act ask again; nothing happens without one. Two queries at most.

    `apart` has the values of the parameters that `register` names.
    """
    codes = [code for code, (name, *_) in _names.items() if name == act]
    wanted = _key(user_id, act, place, apart)
    for notice in Notice.objects.filter(user=user_id, code__in=codes, asks=True).order_by("-id")[:MOST_AT_ONCE]:
        if _act_of(notice) == wanted:
            if notice.done_at is not None:
                Notice.objects.filter(pk=notice.pk).update(done_at=None)
            return


def _key(user_id: int, act: str, place: object, apart: Sequence[object]) -> str:
    return repr((user_id, act, place, list(apart)))


def _act_of(notice: Notice) -> str:
    name, place, apart = _names[notice.code]
    return _key(notice.user_id, name, place(notice), [notice.parameters.get(each) for each in apart])


def settle(now: datetime | None = None, *, user_id: int | None = None) -> int:
    """Mark the notices with nothing left to do as done, of one person or of all; return how many.

    One query if nobody is asked for anything, otherwise those of the checks and deadlines too, one more that marks, and
    one more that moves; of more than MOST_AT_ONCE notices the same for each further portion.
    """
    waiting = open_acts() if user_id is None else open_acts().filter(user=user_id)
    waiting = waiting.filter(code__in=_checks).order_by("-id")
    total, portion, asked = 0, list(waiting[:MOST_AT_ONCE]), set[str]()
    while portion:
        total += _settle(portion, now or timezone.now(), asked)
        portion = list(waiting.filter(pk__lt=portion[-1].pk)[:MOST_AT_ONCE]) if len(portion) == MOST_AT_ONCE else []
    return total


def _settle(notices: Iterable[Notice], now: datetime, asked: set[str]) -> int:
    """Mark notices, the newest first, and return how many; `asked` are the acts of newer ones, and grows."""
    of_check: dict[Check, list[Notice]] = {}
    done: set[int] = set()
    for notice in notices:
        act = _act_of(notice)
        if act in asked:
            done.add(notice.pk)
        else:
            asked.add(act)
            of_check.setdefault(_checks[notice.code], []).append(notice)
    done.update(pk for check, listed in of_check.items() for pk in check(listed))
    _move([each for listed in of_check.values() for each in listed if each.pk not in done])
    if not done:
        return 0
    # Another look may have marked them meanwhile.
    return Notice.objects.filter(pk__in=done, done_at=None).update(done_at=now)


def _move(notices: Iterable[Notice]) -> None:
    """Write the present deadlines of open notices into those of which it has moved."""
    of_due: dict[Due, list[Notice]] = {}
    for notice in notices:
        if notice.code in _deadlines:
            of_due.setdefault(_deadlines[notice.code], []).append(notice)
    moved = []
    for due, listed in of_due.items():
        found = due(listed)
        for notice in listed:
            at = found.get(notice.pk, notice.due_at)
            if at != notice.due_at:
                notice.due_at = at
                notice.parameters[deadline_name(notice.code)] = None if at is None else at.isoformat()
                moved.append(notice)
    if moved:
        Notice.objects.bulk_update(moved, ["due_at", "parameters"])
