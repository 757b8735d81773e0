"""The form of the JSON inside fields of a season's document, as data: one schema for each such field.

All other fields have the form of the models' fields (stables.documents.values). Settings, calendar, catalogue, saved
line-ups, marks and standing answers have readers of their own. Actions, events and results of matches are checked by a
replay. The parameters of ledger and log may be any JSON object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from rules.bots.preset_answers import read_answers
from rules.campaign.results.reports import ENDINGS, FATES, MOST_POINTS
from rules.campaign.results.tabletop_counts import read_mark
from rules.competition.state.setup_shape import SETUP
from rules.core.inline import LONGEST_ID
from rules.core.refusals import Malformed, SeasonRefused
from rules.core.shape_checks import Check, Fault, Path, check_of
from rules.core.shapes import (
    ANYTHING,
    LONGEST_DIAL,
    SHAPES,
    Schema,
    code,
    each,
    listed,
    or_null,
    text,
    whole,
    word,
)
from rules.core.shapes import record as an_object
from rules.core.words import DAMAGE_VALUES
from stables.documents import values
from stables.models import Asset, FixtureSide, Title
from stables.text.results import ENDINGS as ALL_ENDINGS
from stables.text.results import STAYS, TITLES

_TRUTH: Schema = {"type": "boolean"}
_POINTS = whole(-MOST_POINTS, MOST_POINTS)
_COUNT = whole(0, MOST_POINTS)
_CLICKS = whole(0, LONGEST_DIAL)
_STABLE = whole(1, 999)
_NAME = text(LONGEST_ID)
_MANY = 999
"""A limit that is larger than any list in a season."""

_KIND = "(unit|pilot|gear|rally_card)"
_CODE = code(f"^{_KIND}:[^:]+:[0-9]+$")
_FORFEIT = word("", *FixtureSide.Forfeit.values)


def _by(pattern: str, item: Schema) -> Schema:
    """Return the schema of an object whose names have this form and whose values fit `item`."""
    return {**each(item), "propertyNames": {"pattern": pattern}}


_GAINS = _by(rf"^([0-9]+/)?{_KIND}:[^:]+:[0-9]+$", an_object({"reputation": _POINTS, "kills": _COUNT}))
_REPORT = an_object(
    {
        "ended_by": word(*ENDINGS),
        "winner": text(),
        "sides": each(an_object({"eliminations": _POINTS, "tokens": _POINTS, "flags": _POINTS, "surrendered": _TRUTH})),
        "units": each(an_object({"clicks": _CLICKS, "eliminated": _TRUTH, "kills": _COUNT, "died": word(*FATES)})),
    }
)
_OF_SIDE = an_object(
    {
        "stable": _STABLE,
        "side": text(),
        "won": _TRUTH,
        "played": _TRUTH,
        "cause": text(),
        "reputation": _POINTS,
        "kills": _COUNT,
        "surrendered": _TRUTH,
        "forfeits": _FORFEIT,
        "banked": _POINTS,
        "individuals": _GAINS,
    },
    ["stable", "reputation", "kills", "surrendered", "forfeits", "banked", "individuals"],
)
_OF_STABLE = an_object(
    {
        "side": text(),
        "banked": _POINTS,
        "kills": _COUNT,
        "won": _TRUTH,
        "played": _TRUTH,
        "cause": text(),
        "forfeits": _FORFEIT,
        "individuals": _GAINS,
    },
    ["side", "banked", "kills", "won", "individuals"],
)
_OF_UNIT = an_object(
    {
        "side": text(),
        "stable": _STABLE,
        "asset": code("^unit:[^:]+:[0-9]+$"),
        "pilot": or_null(code("^pilot:[^:]+:[0-9]+$")),
        "before": _CLICKS,
        "clicks": _CLICKS,
        "eliminated": _TRUTH,
        "kills": _COUNT,
        "pilot_dead": _TRUTH,
    }
)
RESULT = an_object(
    {
        "ended_by": word(*ALL_ENDINGS),
        "winner": or_null(text()),
        "rounds": or_null(_COUNT),
        "tie_break": or_null(text()),
        "source": text(),
        "places": listed(text(), 0, _MANY),
        "sides": each(_OF_SIDE),
        # Results of the first seasons have only the sides (rules.campaign.results.corrections.stables_of).
        "stables": _by("^[1-9][0-9]{0,2}$", _OF_STABLE),
        "units": each(_OF_UNIT),
        "report": _REPORT,
    },
    ["ended_by", "winner", "rounds", "tie_break", "sides", "units"],
)
_WEAR = an_object({"clicks": _CLICKS, "eliminated": _TRUTH})
_ABOUT: Schema = {"stable": _STABLE, "individual": {"type": "string"}, "stable_name": text(120), "name": text(240)}


def _effect(**more: Schema) -> Schema:
    return an_object({"what": text(), **_ABOUT, **more}, ["what", "stable", "individual", "stable_name", *more])


_AMOUNT = _effect(amount=whole(-(2**31), 2**31))
EFFECTS: Mapping[str, Schema] = {
    **dict.fromkeys(("reputation", "kills", "wins", "matches", "repair_refund", "owed"), _AMOUNT),
    "damage": _effect(before=_WEAR, after=_WEAR),
    "damage_stays": _effect(why=word(*STAYS)),
    **dict.fromkeys(("death", "revival"), _effect()),
    "place": _effect(cycle=_STABLE, before=_STABLE, after=_STABLE),
    "purse": _effect(cycle=_STABLE, amount=whole(-(2**31), 2**31)),
    **dict.fromkeys(TITLES, _effect(title=word(*Title.Kind.values))),
}
"""The schema of one effect of a correction, by its `what`."""

CONTENDER = an_object(
    {
        "claim": text(),
        "stable": _STABLE,
        "asset": or_null(_CODE),
        "names": text(240),
        "plays": text(),
        "side": {"type": "string", "maxLength": 40},
        "is_own": _TRUTH,
    },
    ["claim", "stable", "asset", "names", "plays", "side"],
)
_WARE = {"kind": word(*Asset.Kind.values), "key": text()}
_REFUSAL = an_object({"code": text(), "parameters": each(ANYTHING)})
_PART = word(*DAMAGE_VALUES, None)

FIELDS: Mapping[str, Mapping[str, Schema]] = {
    "stables": {"repair_priority": listed(_CODE, 0, _MANY)},
    "baskets": {
        "lines": listed(an_object(_WARE), 0, _MANY),
        "outcome": listed(
            an_object({**_WARE, "price": _COUNT, "bought": _TRUTH, "refused": listed(_REFUSAL, 0, 1)}), 0, _MANY
        ),
    },
    "reports": {"document": _REPORT},
    "rulings": {"document": _REPORT},
    "results": {"document": RESULT},
    "corrections": {"document": RESULT, "effects": listed(each(ANYTHING), 0, _MANY)},
    "sudden_deaths": {"contenders": listed(CONTENDER, 0, _MANY), "appeared": listed(text(), 0, _MANY)},
    "matches": {"setup": SETUP},
}
"""The schemas by table and field. Effects must fit EFFECTS too, and the definitions in a setup DEFINITIONS."""

_GEAR: Schema = {**SHAPES["gear"], "properties": {**SHAPES["gear"]["properties"], "side": _PART}}
DEFINITIONS: Mapping[str, Schema] = {**SHAPES, "gear": _GEAR}
"""The schemas of the definitions inside a setup, complete because pages show more of them than a match reads."""


READERS: Mapping[tuple[str, str], Callable[[Any], object]] = {
    ("marks", "mark"): read_mark,
    ("standing", "answers"): read_answers,
}
"""The fields with a reader of their own that checks their form."""
BROKEN = (KeyError, TypeError, ValueError, AttributeError, LookupError)


def require_shape(table: str, name: str, value: Any, place: str) -> None:
    """Refuse a field whose JSON does not fit its schema or its reader; accept a field that has neither.

    Raises Malformed (season_document_field_missing, season_document_field_unknown, season_document_bad_value).
    """
    if name in FIELDS.get(table, ()):
        _require(_check(table, name), value, place)
    if name == "effects":
        for number, effect in enumerate(value):
            what = effect.get("what")
            if not isinstance(what, str) or what not in EFFECTS:
                raise values.not_one_of(f"{place}[{number}].what", what, *EFFECTS)
            _require(_effect_check(what), effect, f"{place}[{number}]")
    elif name == "setup":
        _require_definitions(value, place)
    elif (table, name) in READERS:
        try:
            READERS[table, name](value)
        except (Malformed, SeasonRefused, *BROKEN):
            raise values.wrong_format(place, value) from None


def _require_definitions(setup: Mapping[str, Any], place: str) -> None:
    arena = setup["arena"]
    for name in ("id", "name"):
        if name not in arena:
            raise Malformed("season_document_field_missing", place=f"{place}.arena", field=name)
        _require(check_of(_NAME), arena[name], f"{place}.arena.{name}")
    for number, side in enumerate(setup["sides"]):
        at = f"{place}.sides[{number}]"
        _require_each("target_tokens", side.get("tokens"), f"{at}.tokens")
        for index, loadout in enumerate(side["units"]):
            here = f"{at}.units[{index}]"
            # A unit of a sudden death has no hand.
            for name in ("clicks", "gear", "pilot"):
                if name not in loadout:
                    raise Malformed("season_document_field_missing", place=here, field=name)
            _require(_definition_check("units"), loadout["unit"], f"{here}.unit")
            if loadout["pilot"] is not None:
                _require(_definition_check("pilots"), loadout["pilot"], f"{here}.pilot")
            _require_each("gear", loadout["gear"], f"{here}.gear")
            _require_each("rally_cards", loadout.get("hand", []), f"{here}.hand")


def _require_each(kind: str, definitions: Any, place: str) -> None:
    if definitions is None:
        raise values.wrong_type(place, definitions, "array")
    for number, definition in enumerate(definitions):
        _require(_definition_check(kind), definition, f"{place}[{number}]")


@cache
def _check(table: str, name: str) -> Check:
    return check_of(FIELDS[table][name])


@cache
def _effect_check(what: str) -> Check:
    return check_of(EFFECTS[what])


@cache
def _definition_check(kind: str) -> Check:
    return check_of(DEFINITIONS[kind])


def _require(check: Check, value: Any, place: str) -> None:
    if not check.fits(value):
        fault = next(check.faults(value))
        raise _refusal(fault, place)


def _refusal(fault: Fault, place: str) -> Malformed:
    if fault.code in _KEYS:
        *way, key = fault.path
        return Malformed(_KEYS[fault.code], place=place + _way(tuple(way)), field=str(key)[:100])
    return values.bad(place + _way(fault.path), fault.code, **fault.parameters)


_KEYS = {"missing_key": "season_document_field_missing", "unknown_key": "season_document_field_unknown"}


def _way(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
