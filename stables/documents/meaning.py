"""Checks that a season's document makes sense: its settings, calendar, assets, unique rows and steps."""

from __future__ import annotations

from rules.campaign.classes import FORMATS, WEIGHT_CLASSES
from rules.campaign.season.calendar import Calendar
from rules.campaign.season.settings import SeasonSettings
from rules.catalogue import Catalogue
from rules.core.refusals import Malformed, Refused, SeasonRefused
from rules.solaris.house_rules import HouseRules
from stables.documents import values
from stables.documents.columns import Row
from stables.documents.rows import MatchRow
from stables.selectors.definitions import KINDS

BROKEN = (KeyError, TypeError, ValueError, AttributeError, LookupError)


def check_plan(document: Row, catalogue: Catalogue) -> None:
    """Read settings and calendar as the site does; compare assets, arenas and tokens with the catalogue.

    It also refuses duplicates, and assets that another stable than their own uses. The rows must have been read before
    (stables.documents.rows). Raises Malformed (season_document_bad_value, season_document_twice) or SeasonRefused
    (season_document_catalogue_differs).
    """
    _settings(document["season"])
    for number, cycle in enumerate(document["cycles"]):
        for name, known in (("format", FORMATS), ("match_class", WEIGHT_CLASSES)):
            if cycle[name] not in known:
                raise values.not_one_of(f"cycles[{number}].{name}", cycle[name], *known)
    _assets(document, catalogue)
    for number, fixture in enumerate(document["fixtures"]):
        arenas = fixture["arena_key"].split("+") if fixture["arena_key"] else []
        for arena in arenas:
            if arena not in catalogue.arenas:
                raise values.not_one_of(f"fixtures[{number}].arena_key", arena, *catalogue.arenas)
    for number, line_up in enumerate(document["line_ups"]):
        for key in line_up["tokens"]:
            if not isinstance(key, str) or key not in catalogue.target_tokens:
                raise values.not_one_of(f"line_ups[{number}].tokens", key, *catalogue.target_tokens)
    _own_assets(document)
    _one_of_each(document)


ONE_OF_EACH: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("placings", ("cycle", "revision", "stable")),
    ("placings", ("cycle", "revision", "place")),
    ("corrections", ("result", "number")),
    ("results", ("fixture",)),
    ("rulings", ("fixture",)),
)
"""The fields that must be unique together, by table."""


def _one_of_each(document: Row) -> None:
    """Refuse duplicates and contradictory values, which the database would refuse without their place.

    Raises Malformed (season_document_bad_value, season_document_twice).
    """
    for table, names in ONE_OF_EACH:
        seen: set[tuple[object, ...]] = set()
        for number, row in enumerate(document[table]):
            key = tuple(row[name] for name in names)
            if key in seen:
                raise Malformed("season_document_twice", place=f"{table}[{number}]", name=" ".join(map(str, key)))
            seen.add(key)
    for number, stable in enumerate(document["stables"]):
        if stable["is_ai"] and stable["owner"] is not None:
            raise values.not_one_of(f"stables[{number}].owner", stable["owner"], "null")
    for number, asset in enumerate(document["assets"]):
        if asset["is_eliminated"] and asset["kind"] != "unit":
            raise values.not_one_of(f"assets[{number}].is_eliminated", True, "false")


def _settings(season: Row) -> None:
    for name in ("settings", "pending_settings"):
        if not isinstance(season[name], dict):
            raise values.wrong_type(f"season.{name}", season[name], "object")
    try:
        HouseRules.from_json(SeasonSettings.from_json(season["settings"]).house_rules)
    except (Refused, Malformed, *BROKEN):
        raise values.wrong_format("season.settings", season["settings"]) from None
    try:
        if season["calendar"]:
            Calendar.from_json(season["calendar"])
    except (Refused, Malformed, *BROKEN):
        raise values.wrong_format("season.calendar", season["calendar"]) from None


def _assets(document: Row, catalogue: Catalogue) -> None:
    for number, asset in enumerate(document["assets"]):
        place = f"assets[{number}]"
        kind, key = KINDS[asset["kind"]], asset["catalogue_key"]
        if key not in catalogue.of_kind(kind):
            raise Malformed("season_document_unknown_name", place=f"{place}.catalogue_key", name=str(key), table=kind)
        found = catalogue.hash_of(kind, key)
        if asset["content_hash"] != found:
            stored = asset["content_hash"]
            raise SeasonRefused(
                "season_document_catalogue_differs", place=f"{place}.content_hash", stored=stored, found=found
            )


def _own_assets(document: Row) -> None:
    """Refuse assets of one stable that another stable uses. Raises Malformed (season_document_bad_value)."""
    owners: list[tuple[str, str, object]] = [
        (f"assets[{number}].assigned_to", str(asset["stable"]), asset["assigned_to"])
        for number, asset in enumerate(document["assets"])
    ]
    for number, crew in enumerate(document["crews"]):
        # "1/2/3:4" is the line-up of stable 4.
        stable = crew["line_up"].rpartition(":")[2]
        owners += [(f"crews[{number}].{name}", stable, crew[name]) for name in ("unit", "pilot")]
    for number, card in enumerate(document["crew_cards"]):
        owners.append((f"crew_cards[{number}].asset", card["crew"].split(":")[1], card["asset"]))
    for place, stable, asset in owners:
        if asset is not None and str(asset).partition(":")[0] != stable:
            raise values.not_one_of(place, asset, f"{stable}:…")


def check_steps(match: MatchRow, place: str) -> None:
    """Check that every step except the first has an action, and that its side is that of the action's unit.

    A step without a unit must have no side: "".

    Raises Malformed (season_document_bad_value).
    """
    sides = {loadout["id"]: side["id"] for side in match.row["setup"]["sides"] for loadout in side["units"]}
    for number, step in enumerate(match.row["steps"]):
        action = step["action"]
        if isinstance(action, dict) == (number == 0):
            raise values.wrong_type(f"{place}.steps[{number}].action", action, "object" if number else "null")
        side = "" if action is None else str(sides.get(action.get("unit"), ""))
        if step["side"] != side:
            raise values.not_one_of(f"{place}.steps[{number}].side", step["side"], side or '""')
