"""Attacks and what they did: facts of the turn that earn awards when it ends, and damage that a repair will mend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.challenge.awards import BANDS, CRITICALS
from rules.challenge.deeds.bets import call_off
from rules.challenge.entries import TRUTH, Entry, Kind
from rules.challenge.shared_checks import needs_one, not_there, unknown
from rules.challenge.state import ROLL_THAT_STANDS, Event
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal
from rules.core.shapes import text, whole, word

PART_OF_CRITICAL: Mapping[str, str] = {
    "engine": "engine_gyro",
    "gyro": "engine_gyro",
    "hip": "actuator",
    "actuator": "actuator",
    "weapon": "weapon",
    "head": "other",
    "ammo": "other",
    "other": "other",
}
"""The line of a spot repair that mends a critical hit (MC-REP-03)."""

MOST_DAMAGE = 999


def _check(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse anybody who is not a pilot of the event or not on the board."""
    yield from needs_one(event, entry)
    if (yield from unknown(event, entry)):
        return
    for name in entry.by:
        yield from not_there(event, entry, name)
    if entry.at is not None:
        if entry.at in entry.by:
            yield Refusal("own_target", {"pilot": entry.at})
        yield from not_there(event, entry, entry.at)


def _check_at(event: Event, entry: Entry) -> Iterator[Refusal]:
    if entry.at is None:
        yield Refusal("target_missing", {"what": entry.what})
    yield from _check(event, entry)


def _check_damage(event: Event, entry: Entry) -> Iterator[Refusal]:
    if ("points" in entry.facts) is ("band" in entry.facts):
        yield Refusal("points_or_band", {})
    yield from _check_at(event, entry)


def _nothing(event: Event, entry: Entry) -> None:
    """Change nothing: the fact counts when the turn ends."""


def _hurt(event: Event, name: str | None, part: str) -> None:
    pilot = event.pilots.get(name or "")
    mech = pilot.mech if pilot else None
    if mech is not None:
        mech.damage[part] = mech.damage.get(part, 0) + 1


def _critical(event: Event, entry: Entry) -> None:
    _hurt(event, entry.at, PART_OF_CRITICAL[entry.facts["part"]])


def _blown_off(event: Event, entry: Entry) -> None:
    _hurt(event, entry.at, "structure")


def _rear_attack(event: Event, entry: Entry) -> None:
    """Take what a stable takes for an attack from behind (MC-STAB-05)."""
    for name in entry.by:
        pilot = event.pilots[name]
        for member, happening in pilot.events_on("attacked_rear"):
            event.post(pilot, member, happening.worth, on="attacked_rear")


def _check_edge(event: Event, entry: Entry) -> Iterator[Refusal]:
    has_strangers = yield from unknown(event, entry)
    for name in entry.by if not has_strangers else ():
        if not event.pilots[name].edge:
            yield Refusal("no_edge", {"pilot": name})
    for bet in entry.facts.get("bets", ()):
        if bet not in event.bets:
            yield Refusal("no_such_bet", {})


def _edge(event: Event, entry: Entry) -> None:
    """Spend one Edge card (MC-EDGE-04); bets on the roll are off (MC-BET-06).

    A pilot whom Solaris Prison did not save has no other roll left: theirs is rolled again (MCQ-DEATH-02).
    """
    for name in entry.by:
        pilot = event.pilots[name]
        pilot.edge -= 1
        pilot.noted.pop(ROLL_THAT_STANDS, None)
        event.post(pilot, "edge_spent", Worth(), on=entry.facts.get("on", ""))
    for bet in list(event.bets.values()):
        if bet.id in entry.facts.get("bets", ()) or bet.on == entry.facts.get("on"):
            call_off(event, bet)


def _check_token(event: Event, entry: Entry) -> Iterator[Refusal]:
    has_strangers = yield from unknown(event, entry)
    for name in entry.by if not has_strangers else ():
        pilot, ability = event.pilots[name], entry.facts["ability"]
        if ability not in pilot.tokens:
            yield Refusal("no_token", {"pilot": name, "ability": ability})
        elif not pilot.has(ability):
            yield Refusal("ability_suspended", {"pilot": name, "ability": ability})


def _token(event: Event, entry: Entry) -> None:
    """Surrender the token of an ability that was used with success (MC-ABIL-13); a failure keeps it (MC-ABIL-14)."""
    if entry.facts.get("success", True):
        for name in entry.by:
            event.pilots[name].tokens.discard(entry.facts["ability"])


_DAMAGE = {"points": whole(0, MOST_DAMAGE), "band": word(*BANDS)}

KINDS = (
    Kind("damage", _nothing, _check_damage, {**_DAMAGE, "one_location": TRUTH}),
    Kind("sustained", _nothing, _check, {"points": whole(0, MOST_DAMAGE)}, ("points",)),
    Kind("head_hit", _nothing, _check_at),
    Kind("critical", _critical, _check_at, {"part": word(*CRITICALS)}, ("part",)),
    Kind("blown_off", _blown_off, _check_at),
    Kind("melee", _nothing, _check, {"push": TRUTH}),
    Kind("melee_weapon", _nothing, _check),
    Kind("charge", _nothing, _check),
    Kind("death_from_above", _nothing, _check, {"hit": TRUTH}, ("hit",)),
    Kind("secondary_target", _nothing, _check, {"ammunition": text(40)}),
    Kind("rear_attack", _rear_attack, _check),
    Kind("crowd", _nothing, _check),
    Kind("standing_after_50", _nothing, _check),
    Kind("turret", _nothing, _check),
    Kind("edge", _edge, _check_edge, {"on": text(80), "bets": {"type": "array", "items": text(60)}}),
    Kind("token", _token, _check_token, {"ability": text(60), "success": TRUTH}, ("ability",)),
)
