"""What a match, a forfeit or a surrender banks for stables, pilots and pilotless units.

R-CYC-05, R-CYC-06, R-SUR-01..06, R-FOR-01..05; Q-125, Q-135..Q-138, Q-156, Q-157, Q-162, Q-166.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rules.solaris.rewards import FORFEIT_LOSS, FORFEIT_WIN, SURRENDER_AWARD


@dataclass(frozen=True)
class SideResult:
    """One side of a finished match, of one stable or of two that share it (`awards_by_stable`).

    `reputation` is the side's as the match ended: half for a side that surrendered, with the 70 for the side that is
    left. `individuals` are those whose record the match changes: the pilot of each unit, or the unit itself when it has
    none (Q-162), in the order of the line-up. `kills` counts by individual.
    """

    individuals: Sequence[str]
    reputation: int
    surrendered: bool = False
    kills: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Award:
    """What one side banks: the stable's reputation, and each individual's reputation and kills.

    Kills count for winners and losers. `cause` is "win", "loss", "surrender", "forfeit", "forfeit_win" or
    "forfeit_of_another".
    """

    stable: int
    individuals: Mapping[str, int]
    kills: Mapping[str, int]
    won: bool
    cause: str

    @property
    def stable_kills(self) -> int:
        """The stable's kills: the sum over its individuals (R-CYC-06)."""
        return sum(self.kills.values())


def share(amount: int, among: int) -> int:
    """Return one of `among` equal shares, rounded up (Q-135). `among` is at least 1.

    >>> share(35, 2)
    18
    """
    return -(-amount // among)


def _shared(amount: int, individuals: Sequence[str]) -> dict[str, int]:
    return {individual: share(amount, len(individuals)) for individual in individuals} if individuals else {}


def match_awards(
    sides: Mapping[str, SideResult], winner: str, ended_by_surrender: bool, loser_keeps_reputation: bool = False
) -> dict[str, Award]:
    """Return what each side banks after a match that was played.

    The winner banks its reputation (R-CYC-05, Q-125). A side that surrendered banks the half that `reputation` holds.
    Other losers bank 0, or all of it with `loser_keeps_reputation`. Two pilots share, each share rounds up, and the
    stable gets the true sum (Q-135). Shares of the half equal halves of the shares (Q-166, D-55). The 70 for a
    surrender goes to each pilot whole and once to the stable (Q-137). Kills count with every result.

    >>> sides = {"red": SideResult(["Ada"], 95, kills={"Ada": 1}), "blue": SideResult(["Bo"], 20)}
    >>> {name: award.stable for name, award in match_awards(sides, "red", ended_by_surrender=False).items()}
    {'red': 95, 'blue': 0}
    """
    awards = {}
    for name, side in sides.items():
        won = name == winner
        if side.surrendered:
            cause, banked = "surrender", side.reputation
        elif won:
            cause, banked = "win", side.reputation
        else:
            cause, banked = "loss", side.reputation if loser_keeps_reputation else 0
        # A surrender that ends the match leaves one side, the winner: each of its pilots takes the 70 whole.
        whole = SURRENDER_AWARD if won and ended_by_surrender else 0
        shares = {
            individual: points + whole for individual, points in _shared(banked - whole, side.individuals).items()
        }
        awards[name] = Award(banked, shares, dict(side.kills), won, cause)
    return awards


def awards_by_stable(award: Award, stables: Mapping[str, Sequence[str]]) -> dict[str, Award]:
    """Divide what a side banks among the stables on it; `stables` holds the individuals of each.

    One stable alone takes all of it. Two stables field one unit each, and each takes what its own unit's pilot takes:
    half, rounded up, and the 70 for a surrender whole (Q-129, Q-135, Q-137, Q-166). Kills stay with the individuals.
    Both stables win or lose together (Q-168).
    """
    if len(stables) == 1:
        return {name: award for name in stables}
    divided = {}
    for name, individuals in stables.items():
        points = {individual: award.individuals.get(individual, 0) for individual in individuals}
        kills = {individual: award.kills.get(individual, 0) for individual in individuals}
        divided[name] = Award(sum(points.values()), points, kills, award.won, award.cause)
    return divided


@dataclass(frozen=True)
class ForfeitSide:
    """A stable of a fixture that is not played, or that is played without the stable.

    `nominated`: the pilots, or pilotless units, of the line-up; they count when the stable wins by forfeit. `pilots`:
    all living pilots on the list. `pilotless_units`: units that fight without a pilot; they count when there is no
    pilot (Q-156). `forfeits` says why the stable does not play: "unable", "absent", or None when it was ready. Two
    stables that share a side have the same `side`; with "" the stable is a side of its own. `has_unit` says whether it
    owns a unit of any class and state.
    """

    nominated: Sequence[str] = ()
    pilots: Sequence[str] = ()
    pilotless_units: Sequence[str] = ()
    forfeits: str | None = None
    side: str = ""
    has_unit: bool = True


def melee_awards(
    played: Mapping[str, Award], forfeited: Mapping[str, ForfeitSide], absence_pays: int = FORFEIT_LOSS
) -> dict[str, Award]:
    """Return what all stables of a grand melee bank: the match's awards, and what a forfeit pays (Q-138).

    `absence_pays` is the season's setting: the reputation of a stable that forfeits because it is absent, or unable
    without owning any unit.
    """
    return {**played, **{name: _forfeited(side, absence_pays) for name, side in forfeited.items()}}


def _forfeited(side: ForfeitSide, absence_pays: int) -> Award:
    # Only a sale takes a unit away, so a stable without any has chosen not to come to the arena.
    amount = FORFEIT_LOSS if side.forfeits == "unable" and side.has_unit else absence_pays
    return Award(amount, _shared(amount, side.pilots or side.pilotless_units), {}, False, "forfeit")


def forfeit_awards(sides: Mapping[str, ForfeitSide], absence_pays: int = FORFEIT_LOSS) -> dict[str, Award]:
    """Return what each stable of a forfeited fixture banks.

    The single opponent's stable gets 70 and each pilot it nominated 70 (R-FOR-02). A stable that is unable gets 30,
    shared by all its living pilots, by its pilotless units if it has no pilot, or by nobody (R-FOR-03, Q-156). An
    absent stable gets `absence_pays` in the same way, and so does one that is unable and owns no unit at all. When both
    sides forfeit, nobody wins (Q-157). A forfeit is a played match and a win for the single opponent, but no kill
    (R-FOR-05). With more than two sides the others get nothing here, because they play the match without the forfeiter
    (Q-138). Two stables on the side that is left both win.
    """
    fighting = {side.side or name for name, side in sides.items()}
    ready = {side.side or name for name, side in sides.items() if side.forfeits is None}
    single_winner = next(iter(ready)) if len(ready) == 1 and len(fighting) == 2 else None
    awards = {}
    for name, side in sides.items():
        if side.forfeits is not None:
            awards[name] = _forfeited(side, absence_pays)
        elif (side.side or name) == single_winner:
            awards[name] = Award(FORFEIT_WIN, {one: FORFEIT_WIN for one in side.nominated}, {}, True, "forfeit_win")
        else:
            awards[name] = Award(0, {}, {}, False, "forfeit_of_another")
    return awards
