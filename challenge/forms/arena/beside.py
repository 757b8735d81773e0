"""What a press of the page beside a table says: bets, what turrets, tanks and mines did, rebar, a note, a forfeit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.http import QueryDict

from rules.challenge import turrets
from rules.challenge.deeds.bets import HOUSE, LONGEST_BET
from rules.challenge.deeds.surprises import MOST_DAMAGE, MOST_DENSITY
from rules.challenge.initiative import Draw
from rules.challenge.state import Event
from rules.challenge.surprises import CONTENTS
from rules.core.digits import whole_number
from rules.core.refusals import Malformed
from rules.core.shape_checks import shown

LONGEST_NOTE, LONGEST_PLACE, DIE = 200, 60, 6
LIMITS: Mapping[str, int] = {
    "note": LONGEST_NOTE, "place": LONGEST_PLACE, "die": DIE, "density": MOST_DENSITY, "bet": LONGEST_BET,
}  # fmt: skip
"""What the fields of the page take at most, for the browser."""
OF_A_CHIP = "|"
"""Stands between the row of a chip and its owner."""

Deeds = list[dict[str, Any]]


def deeds_of(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    """Return the deeds that a press writes. Dice that nobody has typed are rolled by `draw`.

    Raises Malformed (bad_entry) for a press that there is not, and for numbers that are none.
    """
    maker = _MAKERS.get(sent.get("press", ""))
    if maker is None:
        raise Malformed("bad_entry", field="press", problem="unknown_key", key=sent.get("press", "")[:60])
    return maker(sent, state, draw)


def typed_in(sent: QueryDict) -> Mapping[str, Mapping[str, Any]]:
    """Return what a press has sent, below its name, so that its form alone shows it again; `claimants` are all."""
    return {sent.get("press", ""): {**sent.dict(), "claimants": sent.getlist("claimant")}}


def _number(sent: QueryDict, name: str, least: int, most: int) -> int | None:
    """Return a number, None for an empty field."""
    typed = sent.get(name, "").strip()
    if not typed:
        return None
    number = whole_number(typed)
    if number is None:
        raise Malformed("bad_entry", field=name, problem="wrong_format", value=shown(typed))
    if not least <= number <= most:
        raise Malformed("bad_entry", field=name, problem="out_of_range", value=shown(typed), least=least, most=most)
    return number


def _sum(sent: QueryDict, name: str) -> int:
    """Return the sum of numbers with spaces or commas between them."""
    text = sent.get(name, "")
    typed = text.replace(",", " ").split()
    read = [number for each in typed if (number := whole_number(each, len("999"))) is not None]
    if not typed or len(read) < len(typed):
        raise Malformed("bad_entry", field=name, problem="wrong_format", value=shown(text))
    return min(sum(read), MOST_DAMAGE)


def _word(sent: QueryDict, name: str, known: Collection[str]) -> str:
    word = sent.get(name, "")
    if word not in known:
        raise Malformed("bad_entry", field=name, problem="unknown_key", key=word[:60])
    return word


# --- bets (MC-BET-03 to 07) ------------------------------------------------------------------------------------------


def _bet(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    row, _between, by = sent.get("own", "").partition(OF_A_CHIP)
    against, _between, other = sent.get("against", "").partition(OF_A_CHIP)
    on = sent.get("on", "").strip()
    deed: dict[str, Any] = {"what": "bet", "by": by, "with": other or HOUSE, "chip": row, "on": on}
    if other:
        deed["against_chip"] = against
    elif sent.get("house_chip"):
        deed["against_chip"] = sent["house_chip"]
    if not by or not on:
        field = "own" if on else "on"
        raise Malformed("bad_entry", field=field, problem="missing_key", key=field)
    return [deed]


def _settle(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    return [{"what": "settle_bet", "bet": sent.get("bet", ""), "won": sent.get("press") == "won"}]


def _call_off(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    """Spend an Edge card on the roll of a bet, which is off then (MC-BET-06)."""
    bet = state.bets.get(sent.get("bet", ""))
    on = {"on": bet.on[:80], "bets": [bet.id]} if bet is not None else {"bets": [sent.get("bet", "")]}
    return [{"what": "edge", "by": sent.get("pilot", ""), **on}]


# --- surprises -------------------------------------------------------------------------------------------------------


def _turret(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    """Arm a turret and let it look for its target, by dice of a real table or rolled here (MC-TUR-04, MC-TUR-07)."""
    kind = _word(sent, "class", turrets.CLASSES)
    die = _number(sent, "die", 1, DIE) or draw(DIE) + 1
    arms = turrets.weapons(kind, die)
    typed = [_number(sent, name, 1, DIE) for name in ("first", "second")]
    dice = [draw(DIE) + 1 if each is None else each for each in typed]
    weapon = arms[draw(len(arms))]
    return [{"what": "turret_search", "class": kind, "die": die, "weapon": weapon, "dice": dice, **_place(sent)}]


def _turret_hit(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    """Hold the damage of one turn against a turret; who is ticked earns its row where it falls (MC-TUR-05, 06, 08)."""
    kind, damage = _word(sent, "class", turrets.CLASSES), _sum(sent, "damage")
    by = sent.getlist("claimant")
    deeds: Deeds = [{"what": "turret_damage", "class": kind, "points": damage, **_place(sent)}]
    if turrets.is_destroyed(kind, [damage]) and by:
        deeds.insert(0, {"what": "turret", "by": by, "phase": "fire"})
    return deeds


def _tank(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    """Hold damage against a storage tank (MC-TANK-01, MC-TANK-03)."""
    contents = _word(sent, "contents", CONTENTS)
    return [{"what": "tank_damage", "contents": contents, "points": _sum(sent, "damage"), **_place(sent)}]


def _mines(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    """Lay a minefield (MC-MINE-01); its sentence warns where it is denser than recommended (MC-MINE-02)."""
    density = _number(sent, "density", 1, MOST_DENSITY)
    if density is None:
        raise Malformed("bad_entry", field="density", problem="missing_key", key="density")
    return [{"what": "minefield", "density": density, **_place(sent)}]


def _place(sent: QueryDict) -> dict[str, str]:
    """Return where on the board it is, as a fact; nothing for an empty field."""
    place = sent.get("place", "").strip()[:LONGEST_PLACE]
    return {"place": place} if place else {}


def _rebar(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    return [{"what": "rebar", "by": sent.get("pilot", ""), "held": sent.get("held") == "yes"}]


def _note(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    text = sent.get("text", "").strip()
    if not text:
        raise Malformed("bad_entry", field="text", problem="missing_key", key="text")
    return [{"what": "noted", "text": text[:LONGEST_NOTE]}]


def _forfeit(sent: QueryDict, state: Event, draw: Draw) -> Deeds:
    """Put a pilot out of the tournament (MC-GEN-05); the book keeps the reason."""
    reason = sent.get("reason", "").strip()[:LONGEST_NOTE]
    return [{"what": "forfeit", "by": sent.get("pilot", ""), **({"reason": reason} if reason else {})}]


_MAKERS: Mapping[str, Callable[[QueryDict, Event, Draw], Deeds]] = {
    "bet": _bet, "won": _settle, "lost": _settle, "call_off": _call_off, "turret": _turret, "turret_hit": _turret_hit,
    "tank": _tank, "mines": _mines, "rebar": _rebar, "note": _note, "forfeit": _forfeit,
}  # fmt: skip
