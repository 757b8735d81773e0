"""Assets as the pages of a stable, its market and its garage show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from catalogue.text.labels import NO_DIAL
from matches.text.match import word
from rules.campaign.classes import WEIGHT_CLASSES
from rules.campaign.garage.repair import ELIMINATED
from rules.campaign.line_ups.checks import needs_pilot
from rules.campaign.standings.crew_records import NO_RECORD, CrewRecord
from rules.core.pilot_costs import pilot_points
from rules.core.table_units import clicks_of, is_table_only, says_its_clicks
from rules.wording import CARD_TEXTS, requirement
from rules.wording.filling import joined, signed
from rules.wording.isolation import name_of
from stables.models import Asset, ReputationEntry, Season, Stable
from stables.selectors.assets import cost_of_repair, state_of
from stables.selectors.definitions import KINDS, catalogue_of, definition_of
from stables.text import names as words
from web.languages.reader import translate

Definition = Mapping[str, Any]


def unit_description(definition: Definition) -> str:
    """Return the clicks of a unit's dial and its vent, in one line; that it has no dial here if so."""
    if is_table_only(definition):
        return gettext(NO_DIAL)
    return gettext("%(clicks)s clicks, vent %(vent)s") % {
        "clicks": len(definition["dial"]),
        "vent": definition["vent"],
    }


def pilot_description(definition: Definition) -> str:
    """Return what a pilot adds, and to units of which classes: "Attack +1. Fits light and medium ’Mechs."."""
    return _sentences(_adds(definition), _asked(definition))


def gear_description(definition: Definition) -> str:
    """Return what gear gives, where it fits and on which classes: "Homing Beacon. Fits any ballistic weapon. ..."."""
    given = word(definition["equipment"]) if definition["equipment"] else ""
    needed, slot = definition["requires"].get("type"), definition["slot"]
    values = {"type": word(needed or ""), "value": word(slot)}
    if slot == "either":
        place = gettext("Fits any %(type)s weapon") if needed else gettext("Fits either weapon")
    else:
        place = gettext("Sits on %(value)s, needs %(type)s") if needed else gettext("Sits on %(value)s")
    return _sentences(given, _adds(definition), place % values, _asked(definition))


def rally_card_description(definition: Definition) -> str:
    """Return what a rally card does, and when it may be played."""
    effect = translate(CARD_TEXTS[definition["ability"]])
    return f"{effect} {requirement(definition.get('requires', {}), translate)}".strip()


def _adds(definition: Definition) -> str:
    return ", ".join(f"{word(value)} {signed(amount)}" for value, amount in definition["modifiers"].items())


def _asked(definition: Definition) -> str:
    classes = definition["requires"].get("class") or ()
    if len(classes) in (0, len(WEIGHT_CLASSES)):
        return gettext("All classes")
    return gettext("Fits %(classes)s ’Mechs") % {"classes": joined([word(name) for name in classes], translate)}


def _sentences(*parts: str) -> str:
    return " ".join(f"{capfirst(part)}." for part in parts if part)


DESCRIPTIONS = {
    "unit": unit_description,
    "pilot": pilot_description,
    "gear": gear_description,
    "rally_card": rally_card_description,
}
"""Kind of asset -> the function that says in one line what a buyer wants to know of it."""


def description_of(season: Season, kind: str, definition: Definition) -> str:
    """Return what a buyer wants to know of an asset in a line; a pilot's ability with the name of its ’Mech (R-PLT-05).

    No query once the season's catalogue is read.
    """
    said, ability = DESCRIPTIONS[kind](definition), str(definition.get("ability"))
    if kind != Asset.Kind.PILOT or ability not in CARD_TEXTS:
        return said
    effect = translate(CARD_TEXTS[ability])
    preferred = definition.get("alternative")
    if not preferred:
        return f"{said} {effect}"
    unit = catalogue_of(season).units.get(preferred["unit"], {"name": preferred["unit"]})
    values = {"unit": name_of(unit), "points": pilot_points(definition, preferred["unit"]), "effect": effect}
    return f"{said} " + gettext("In the %(unit)s alone, where they count %(points)s points: %(effect)s") % values


def catalogue_address(season: Season, kind: str, key: str) -> str:
    """Return the address of an asset's page in the season's release of the catalogue."""
    release = f"?release={season.release.content_hash}"
    page = "catalogue:unit" if kind == "unit" else f"catalogue:{KINDS[kind]}_page"
    return reverse(page, args=[key]) + release


def asset_view(
    season: Season,
    asset: Asset,
    entries: Iterable[ReputationEntry] = (),
    gear: Sequence[Asset] = (),
    records: Mapping[str, CrewRecord] | None = None,
) -> dict[str, Any]:
    """Return an asset with its definition, description and record, a unit also with its state and price of repair.

    `entries` may be those of the whole stable, and `records` by code too; `gear` is what a unit carries. Without
    `records` nobody has done anything. No query.
    """
    definition = definition_of(season, asset)
    record = (records or {}).get(asset.code, NO_RECORD)
    own = [entry for entry in entries if entry.asset_id == asset.pk]
    view: dict[str, Any] = {
        "asset": asset,
        "definition": definition,
        "description": description_of(season, asset.kind, definition),
        "side_name": word(asset.side),
        "url": catalogue_address(season, asset.kind, asset.catalogue_key),
        "reputation": sum(entry.amount for entry in own),
        "record": record,
        "has_record": asset.kind in (Asset.Kind.UNIT, Asset.Kind.PILOT),
        # A pilot gets the reputation of what their unit earns.
        "earns_reputation": asset.kind == Asset.Kind.PILOT
        or (asset.kind == Asset.Kind.UNIT and not needs_pilot(definition)),
    }
    if asset.kind == Asset.Kind.UNIT:
        state = state_of(season, asset)
        view |= {
            "state": state,
            "state_name": words.word(words.STATES, state),
            "is_eliminated": state == ELIMINATED,
            **_clicks(asset, definition),
            "no_dial": gettext(NO_DIAL) if is_table_only(definition) else "",
            "repair_cost": cost_of_repair(season, asset, gear),
        }
    return view


def _clicks(asset: Asset, definition: Definition) -> dict[str, int | None]:
    """Return the clicks of a unit's whole dial and those left; None for a unit that does not say how many it has."""
    if not says_its_clicks(definition):
        return {"clicks": None, "clicks_left": None}
    clicks = clicks_of(definition)
    return {"clicks": clicks, "clicks_left": 0 if asset.is_eliminated else max(clicks - asset.damage, 0)}


def in_repair_order(stable: Stable, units: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the views of units in the order of repair at a cycle's close.

    Units in the owner's order come first, then all others, the cheapest repair first.
    """
    place = {code: number for number, code in enumerate(stable.repair_priority)}
    return sorted(
        units,
        key=lambda view: (place.get(view["asset"].code, len(place)), view["repair_cost"], view["asset"].code),
    )
