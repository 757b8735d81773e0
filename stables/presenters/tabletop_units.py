"""One unit beside a real table: its dials at the counted click and heat, in numbers and in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from catalogue.text import labels
from catalogue.text.marks import EQUIPMENT_MARKS, HEAT_MARKS
from matches.text import match
from rules.campaign.results.reports import Contest
from rules.campaign.results.tabletop_counts import UnitCount
from rules.competition.state.roster import Fighter
from rules.competition.state.setup import Loadout
from rules.core.table_units import clicks_of, is_table_only
from rules.wording import CARD_TEXTS
from rules.wording.equipment import EQUIPMENT_TEXTS, HEAT_EFFECT_TEXTS
from rules.wording.filling import signed
from rules.wording.isolation import isolated
from stables.models import Asset, Crew, Season
from stables.selectors.definitions import definition_of
from stables.text.tabletop import mark_line
from web.languages.reader import translate

STEPS_UP, HEAT_UP = (1, 2, 3, 5), (1, 2)
"""The clicks of damage, and the heat, that one press of a button adds."""


@dataclass(frozen=True)
class Button:
    """A button that makes one mark.

    `when` and `stop` are conditions for `_holds`: when the button is shown ("" for always), and when it is switched
    off ("" for never). `is_name`: its label is a name that people or the catalogue gave.
    """

    what: Mapping[str, Any]
    label: str
    line: str
    side: str
    when: str = ""
    stop: str = ""
    is_hidden: bool = False
    is_off: bool = False
    is_name: bool = False

    @property
    def value(self) -> str:
        """The value that the form sends."""
        return json.dumps({"side": self.side, "mark": self.what})


@dataclass(frozen=True)
class Item:
    """An equipment or a heat effect in words, with the clicks or the heat steps at which it shows."""

    place: str
    name: str
    text: str
    sign: str
    when: str
    is_hidden: bool


@dataclass(frozen=True)
class UnitView:
    """A unit beside the table. `facts` are its tables by pilot, heat and click, for a phone without a network.

    `no_dial` is the sentence about a unit without a dial, "" for every other unit.
    """

    key: str
    name: str
    pilot: str
    pilot_text: str
    gear: tuple[str, ...]
    weapons: tuple[str, ...]
    vent: int
    dial: int
    heat: int
    count: UnitCount
    values: tuple[tuple[str, str, str], ...]
    items: tuple[Item, ...]
    effects: tuple[Item, ...]
    markers: str
    shows_marker: bool
    facts: Mapping[str, Any]
    groups: tuple[tuple[str, tuple[Button, ...]], ...] = ()
    no_dial: str = ""

    @property
    def click(self) -> int:
        """The click that shows, as people count them: the start marker is 1."""
        return min(self.count.clicks + 1, self.dial)


def unit_view(
    contest: Contest,
    count: UnitCount,
    names: Mapping[str, str],
    key: str,
    crew: Crew,
    season: Season,
    is_own: bool,
) -> UnitView:
    """Return what a crew's unit shows at its counts, with buttons where the reader counts for it. No query."""
    unit = definition_of(season, crew.unit)
    pilot = None if crew.pilot is None else definition_of(season, crew.pilot)
    gear = []
    for card in crew.cards.all():
        if card.asset.kind == Asset.Kind.GEAR:
            entry = definition_of(season, card.asset)
            gear.append({**entry, "side": card.side} if card.side else entry)
    if is_table_only(unit):
        return _without_dial(contest, count, names, key, crew, unit, gear, is_own)
    fighter = Fighter(Loadout(key, unit, pilot, tuple(gear), crew.damage), 0)
    ability = fighter.texts[0][1] if fighter.texts else None
    facts = _facts(fighter, crew.damage)
    markers = _when("clicks", [place for place, is_there in enumerate(fighter.repair_markers) if is_there])
    return UnitView(
        key=key,
        name=crew.unit.label,
        pilot=crew.pilot.label if crew.pilot else "",
        pilot_text=translate(CARD_TEXTS[ability]) if ability else "",
        gear=tuple(_gear_description(card) for card in gear),
        weapons=tuple(_weapon_description(unit, value) for value in ("primary", "secondary")),
        vent=fighter.vent,
        dial=fighter.clicks,
        heat=fighter.steps,
        count=count,
        values=tuple(
            (value, match.heading(match.COMBAT_VALUES, value), _value_now(facts, value, count))
            for value in match.COMBAT_VALUES
        ),
        items=(*_items(unit, count), *_gear_items(gear, count, fighter.clicks)),
        effects=tuple(_effects(unit, count)),
        markers=markers,
        shows_marker=not count.eliminated and fighter.repair_markers[count.clicks],
        facts=facts,
        groups=tuple(_groups(contest, count, names, key, fighter.clicks, fighter.steps, fighter.vent))
        if is_own
        else (),
    )


def _without_dial(
    contest: Contest,
    count: UnitCount,
    names: Mapping[str, str],
    key: str,
    crew: Crew,
    unit: Mapping[str, Any],
    gear: Sequence[Mapping[str, Any]],
    is_own: bool,
) -> UnitView:
    """Return a unit that has no dial here: its damage is counted, and its values stand on the figure."""
    clicks = clicks_of(unit)
    return UnitView(
        key=key,
        name=crew.unit.label,
        pilot=crew.pilot.label if crew.pilot else "",
        pilot_text="",
        gear=tuple(_gear_description(card) for card in gear),
        weapons=(),
        vent=0,
        dial=clicks,
        heat=0,
        count=count,
        values=(),
        items=tuple(_gear_items(gear, count, clicks)),
        effects=(),
        markers=_when("clicks", ()),
        shows_marker=False,
        facts={"dial": clicks, "heat": 0, "before": crew.damage, "values": {}},
        groups=tuple(_groups(contest, count, names, key, clicks, 0, 0)) if is_own else (),
        no_dial=translate(labels.NO_DIAL),
    )


def _facts(fighter: Fighter, before: int) -> dict[str, Any]:
    """Return the tables of a unit: by pilot (out, awake), then heat where it counts, then click."""
    values = {
        "primary": fighter.damage[0],
        "secondary": fighter.damage[1],
        "speed": fighter.speed,
        "attack": fighter.attack_total,
        "defense": fighter.defense_total,
    }
    return {"dial": fighter.clicks, "heat": fighter.steps, "before": before, "values": values}


def _value_now(facts: Mapping[str, Any], value: str, count: UnitCount) -> str:
    if count.eliminated:
        return "–"
    by_pilot = facts["values"][value][0 if count.unconscious else 1]
    row = by_pilot[count.heat] if isinstance(by_pilot[0], tuple) else by_pilot
    return str(row[count.clicks])


def _when(name: str, numbers: Iterable[int]) -> str:
    return " ".join([name, *(str(number) for number in numbers)]) if numbers else f"{name} -"


def _items(unit: Mapping[str, Any], count: UnitCount) -> Iterable[Item]:
    found: dict[tuple[str, str, bool], list[int]] = {}
    for place, click in enumerate(unit["dial"]):
        for value, item in click["equipment"].items():
            key, is_circle = (item, False) if isinstance(item, str) else (item["key"], bool(item.get("single_use")))
            found.setdefault((value, key, is_circle), []).append(place)
    for (value, key, is_circle), clicks in found.items():
        shape = gettext("circle (%(colour)s), once") if is_circle else gettext("square (%(colour)s)")
        yield Item(
            match.heading(match.COMBAT_VALUES, value),
            labels.name(key),
            translate(EQUIPMENT_TEXTS[key]),
            shape % {"colour": labels.colour(EQUIPMENT_MARKS[key].colour)},
            _when("clicks", clicks),
            count.eliminated or count.clicks not in clicks,
        )


def _gear_items(gear: Iterable[Mapping[str, Any]], count: UnitCount, dial: int) -> Iterable[Item]:
    """Yield the equipment that gear gives, on every click."""
    for card in gear:
        if key := card.get("equipment"):
            value = card.get("side") or card["slot"]
            yield Item(
                match.heading(match.COMBAT_VALUES, value),
                labels.name(key),
                translate(EQUIPMENT_TEXTS[key]),
                gettext("gear"),
                _when("clicks", range(dial)),
                count.eliminated,
            )


def _effects(unit: Mapping[str, Any], count: UnitCount) -> Iterable[Item]:
    found: dict[tuple[str, str], list[int]] = {}
    for place, step in enumerate(unit["heat"]):
        for value, key in step["effects"].items():
            found.setdefault((value, key), []).append(place)
    for (value, key), steps in found.items():
        yield Item(
            match.heading(match.COMBAT_VALUES, value),
            labels.name(key),
            translate(HEAT_EFFECT_TEXTS[key]),
            gettext("%(colour)s on the heat dial") % {"colour": labels.colour(HEAT_MARKS[key].colour)},
            _when("heat", steps),
            count.heat not in steps,
        )


def _gear_description(card: Mapping[str, Any]) -> str:
    parts = [isolated(str(card["name"]))]
    parts += [f"{labels.name(value)} {signed(amount)}" for value, amount in card["modifiers"].items()]
    if card.get("equipment"):
        parts.append(f"{labels.name(card['equipment'])}: {translate(EQUIPMENT_TEXTS[card['equipment']])}")
    return " · ".join(parts)


def _weapon_description(unit: Mapping[str, Any], value: str) -> str:
    weapon = unit[value]
    least, most = weapon["range"]
    return gettext("%(value)s: %(type)s, range %(least)s to %(most)s, targets: %(targets)s") % {
        "value": match.heading(match.COMBAT_VALUES, value),
        "type": match.word(weapon["type"]),
        "least": least,
        "most": most,
        "targets": weapon["targets"],
    }


def _groups(
    contest: Contest, count: UnitCount, names: Mapping[str, str], key: str, clicks: int, steps: int, vent: int
) -> Iterable[tuple[str, tuple[Button, ...]]]:
    side = contest.units[key].side

    def button(label: str, when: str = "", stop: str = "", **what: Any) -> Button:
        what = {"kind": what.pop("kind"), "unit": key, **what}
        phrase = mark_line(what, names)
        return Button(
            what, label, phrase, side, when, stop, bool(when) and not _holds(when, count), _holds(stop, count)
        )

    end = f"clicks {clicks}"
    damage = [button(f"+{step}", "", end, kind="damage", amount=step) for step in STEPS_UP]
    yield gettext("Damage"), (*damage, button(gettext("repair 1"), "", "clicks 0", kind="repair", amount=1))
    if steps:
        top = f"heat {steps}"
        heat = [button(f"+{step}", "", top, kind="heat", amount=step) for step in HEAT_UP]
        heat.append(button("−1", "", "heat 0", kind="heat", amount=-1))
        if vent > 1:
            label = gettext("vent %(vent)s") % {"vent": vent}
            heat.append(button(label, "", "heat 0", kind="heat", amount=-vent))
        yield gettext("Heat"), tuple(heat)
    switches = [
        button(gettext("shuts down"), "!shutdown", "", kind="shutdown", on=True, step=count.steps["shutdown"]),
        button(gettext("restarts"), "shutdown", "", kind="shutdown", on=False, step=count.steps["shutdown"]),
    ]
    if contest.units[key].has_pilot:
        step = count.steps["unconscious"]
        switches += [
            button(gettext("pilot out"), "!unconscious", "", kind="unconscious", on=True, step=step),
            button(gettext("pilot awake"), "unconscious", "", kind="unconscious", on=False, step=step),
        ]
    yield gettext("State"), (*switches, button(gettext("eliminated"), "", "eliminated", kind="elimination"))
    kills = [
        replace(button(names[other], "", f"killed {other}", kind="kill", of=other), is_name=True)
        for other, entrant in contest.units.items()
        if entrant.side != side
    ]
    yield gettext("It eliminates"), tuple(kills)


def _holds(condition: str, count: UnitCount) -> bool:
    """Return whether counts meet a condition such as "clicks 3 4", "shutdown", "!shutdown" or "killed blue-1"."""
    if not condition:
        return False
    name, *listed = condition.split(" ")
    value = getattr(count, name.lstrip("!"))
    if name == "killed":
        return listed[0] in value
    return (str(value) in listed if listed else bool(value)) != name.startswith("!")
