"""Checks of a season's document: its reputation against its results, and its results against its matches.

Each check raises SeasonRefused with the place of the first entry that does not agree with the others, or Malformed with
the place of a value that cannot be read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from rules.campaign.results.corrections import Deeds, Line, deeds_of
from rules.core.codec import canonical_json
from rules.core.refusals import SeasonRefused
from stables.documents import values
from stables.documents.columns import Row
from stables.models import Result

BROKEN = (KeyError, TypeError, ValueError, AttributeError, LookupError)


def differs(code: str, place: str, stored: Any, found: Any) -> SeasonRefused:
    """Return the refusal of an entry, with its stored value and the value that the rest of the document gives."""
    return SeasonRefused(code, place=place, stored=str(stored)[:100], found=str(found)[:100])


def check_entries(document: Row) -> None:
    """Refuse ledger entries with a gap in their numbers or a key used twice.

    The sums are computed again when the entries are stored (stables.documents.refolding). Raises SeasonRefused
    (season_document_ledger_differs).
    """
    numbers: dict[int, int] = defaultdict(int)
    keys: set[str] = set()
    for position, entry in enumerate(document["ledger"]):
        place, stable, key = f"ledger[{position}]", entry["stable"], entry["idempotency_key"]
        numbers[stable] += 1
        if entry["sequence"] != numbers[stable]:
            raise differs("season_document_ledger_differs", f"{place}.sequence", entry["sequence"], numbers[stable])
        if key in keys:
            raise differs("season_document_ledger_differs", f"{place}.idempotency_key", key, "–")
        keys.add(key)


def current_documents(document: Row) -> dict[str, Row]:
    """Return the valid result of each fixture, by its stand-in: its newest correction, or the result itself."""
    found = {row["fixture"]: row["document"] for row in document["results"]}
    for row in sorted(document["corrections"], key=lambda row: int(row["number"])):
        found[row["result"]] = row["document"]
    return found


def _line_of(entry: Row) -> Line:
    """Return whose record an entry changes: the stable's number, and the asset's code ("" for the stable's own)."""
    return entry["stable"], "" if entry["asset"] is None else entry["asset"].partition(":")[2]


def check_reputation(document: Row) -> None:
    """Compare the reputation, kills, wins and matches of the reputation book with the valid result of each fixture.

    Raises Malformed (season_document_bad_value) or SeasonRefused (season_document_reputation_differs).
    """
    sums: dict[str, dict[Line, list[int]]] = defaultdict(dict)
    places: dict[tuple[str, Line], str] = {}
    for position, entry in enumerate(document["reputation"]):
        place, fixture = f"reputation[{position}]", entry["fixture"]
        if entry["asset"] is not None and int(entry["asset"].partition(":")[0]) != entry["stable"]:
            raise values.not_one_of(f"{place}.asset", entry["asset"], f"{entry['stable']}:…")
        if fixture is None or int(fixture.split("/")[0]) != entry["cycle"]:
            raise values.not_one_of(f"{place}.fixture", fixture, f"{entry['cycle']}/…")
        line = _line_of(entry)
        held = sums[fixture].setdefault(line, [0, 0, 0, 0])
        for index, name in enumerate(("amount", "kills", "wins", "matches")):
            held[index] += entry[name]
        places.setdefault((fixture, line), place)
    numbers = {row["fixture"]: number for number, row in enumerate(document["results"])}
    results = current_documents(document)
    for fixture in sorted({*sums, *results}):
        place = f"results[{numbers[fixture]}].document" if fixture in numbers else f"reputation of {fixture}"
        try:
            wanted = deeds_of(results.get(fixture))
        except BROKEN:
            raise values.wrong_format(place, results.get(fixture)) from None
        for line in sorted({*wanted, *sums[fixture]}):
            stored = Deeds(*sums[fixture].get(line, (0, 0, 0, 0)))
            if stored != wanted.get(line, Deeds()):
                at = places.get((fixture, line), place)
                raise differs("season_document_reputation_differs", at, stored, wanted.get(line, Deeds()))


# Results --------------------------------------------------------------------------------------------------------------


def check_results(document: Row, played: Mapping[str, Row]) -> None:
    """Compare each result of the engine with the end of its match; refuse a finished match with any other result.

    A referee's ruling or a forfeit explains another result. Corrections are not compared. `played` are the matches by
    stand-in. Raises Malformed (season_document_bad_value) or SeasonRefused (season_document_result_differs).
    """
    for position, row in enumerate(document["results"]):
        place = f"results[{position}].document"
        match = played.get(row["fixture"])
        # Old results do not name their source.
        side_result = row["document"].get("source", row["source"])
        if side_result != row["source"]:
            raise differs("season_document_result_differs", f"{place}.source", side_result, row["source"])
        if row["source"] != Result.Source.ENGINE:
            if match is not None and match["result"] is not None and not _is_explained(document, row):
                wanted = Result.Source.ENGINE.value
                raise differs("season_document_result_differs", f"results[{position}].source", row["source"], wanted)
            continue
        if match is None or match["result"] is None:
            raise differs("season_document_result_differs", place, row["source"], "–")
        # A side that forfeited during the match is in the match, but not in its result.
        forfeits = any(side["forfeits"] for side in document["sides"] if side["fixture"] == row["fixture"])
        try:
            for name, stored, found in _facts(row["document"], match["result"], is_whole=not forfeits):
                if canonical_json(stored) != canonical_json(found):
                    raise differs("season_document_result_differs", f"{place}.{name}", stored, found)
        except BROKEN:
            raise values.wrong_format(place, row["document"]) from None


def _is_explained(document: Row, row: Row) -> bool:
    """Return whether something other than the match decided: a referee's ruling, or a forfeit of one of its sides."""
    fixture = row["fixture"]
    if row["source"] == Result.Source.REFEREE:
        return any(ruling["fixture"] == fixture for ruling in document["rulings"])
    forfeits = any(side["forfeits"] for side in document["sides"] if side["fixture"] == fixture)
    return row["source"] == Result.Source.FORFEIT and forfeits


def _facts(document: Row, result: Row, *, is_whole: bool) -> list[tuple[str, Any, Any]]:
    """Return the facts that a result takes unchanged from its match: their place, their value, the match's value.

    The ids of the units are among them only if the result `is_whole`.
    """
    found = [(name, document[name], result[name]) for name in ("winner", "rounds", "ended_by", "tie_break")]
    if is_whole:
        found.append(("units", sorted(document["units"]), sorted(result["units"])))
    found.append(("sides", sorted({*document["sides"], *result["sides"]}), sorted(document["sides"])))
    for side, side_result in document["sides"].items():
        if side in result["sides"]:
            found.append((f"sides.{side}.reputation", side_result["reputation"], result["sides"][side]["reputation"]))
    for name, unit in document["units"].items():
        outcome = result["units"][name]
        for key in ("kills", "eliminated"):
            found.append((f"units.{name}.{key}", unit[key], outcome[key]))
        if not outcome["eliminated"]:
            found.append((f"units.{name}.clicks", unit["clicks"], outcome["clicks"]))
    return found
