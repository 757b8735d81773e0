"""What organisers may do with an open match: excuse a stable, declare a forfeit, exchange the sides of two matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import product

from rules.campaign.season.appointments import FARTHEST, may_forfeit, moment_text
from rules.core.refusals import Refusal

FORFEIT_REASONS = ("no_show", "late", "left", "ruled", "unable")
"""Why an organiser may declare a stable's forfeit."""

LARGEST_TABLE = 999
"""The largest number of a table."""


def check_excuse(until: datetime | None, now: datetime, due: datetime | None) -> list[Refusal]:
    """Return why a match may not wait `until` then for an excused stable; empty when it may.

    `due` is the last moment to play it so far, None without one; then `until` may be None, too. The codes are
    excuse_needs_time, excuse_no_longer, date_not_ahead and date_too_far.
    """
    if until is None:
        return [] if due is None else [Refusal("excuse_needs_time", {"due": moment_text(due)})]
    if until <= now:
        return [Refusal("date_not_ahead", {"date": moment_text(until)})]
    if until - now > FARTHEST:
        return [Refusal("date_too_far", {"date": moment_text(until), "days": FARTHEST.days})]
    if due is not None and until <= due:
        return [Refusal("excuse_no_longer", {"date": moment_text(until), "due": moment_text(due)})]
    return []


def may_declare_forfeit(
    sides: Mapping[int, str], forfeiting: Collection[int], has_match: bool, *, table_only: bool = False
) -> bool:
    """Return whether these stables of a match may lose by forfeit; `sides` has the side of each of its stables.

    All stables of a side may forfeit together. Apart from that, the rules are those of `may_forfeit`.
    """
    named = {sides[stable] for stable in forfeiting}
    if all(stable in forfeiting for stable, side in sides.items() if side in named):
        return may_forfeit(sorted(set(sides.values())), has_match, table_only=table_only)
    return may_forfeit(list(sides.values()), has_match, table_only=table_only)


def swap_doubts(
    meetings: Sequence[tuple[Sequence[str], Sequence[str]]],
    byes: Sequence[str],
    met: Sequence[tuple[str, str]],
    byes_this_cycle: Mapping[str, int],
) -> list[Refusal]:
    """Return what is unusual about new pairings; they may be played all the same (Q-149, Q-158).

    `meetings` are the new pairings by their two sides, `byes` the stables that get a bye. `met` are the pairs of
    earlier matches, with repeats, and `byes_this_cycle` counts earlier byes. The codes are swap_rematch and
    swap_second_bye.
    """
    known = Counter(frozenset(pair) for pair in met)
    pairs = [sorted(pair) for meeting in meetings for pair in product(*meeting)]
    doubts = [
        Refusal("swap_rematch", {"one": one, "other": other, "times": known[frozenset((one, other))]})
        for one, other in pairs
        if known[frozenset((one, other))]
    ]
    doubts += [
        Refusal("swap_second_bye", {"stable": stable, "byes": byes_this_cycle[stable]})
        for stable in byes
        if byes_this_cycle.get(stable)
    ]
    return doubts


def may_have_bye(own: tuple[int, int], holder: tuple[int, int]) -> bool:
    """Return whether a stable may take over the bye of its round: it would have been its turn, too (Q-158).

    `own` and `holder` are their byes in this cycle and in the season before the round.

    >>> may_have_bye((0, 1), (0, 1)), may_have_bye((1, 1), (0, 3))
    (True, False)
    """
    return own <= holder
