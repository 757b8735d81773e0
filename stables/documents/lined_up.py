"""Checks of a season's document: its line-ups against the matches played with them, and against their results."""

from __future__ import annotations

from typing import Any

from stables.documents import values
from stables.documents.books import differs
from stables.documents.columns import Row
from stables.documents.played import TITLE
from stables.models import Asset, Fixture, Round, Season

CARDS = (Asset.Kind.GEAR.value, Asset.Kind.RALLY_CARD.value)
DIFFER = "season_document_result_differs"
BROKEN = (KeyError, TypeError, ValueError, AttributeError, LookupError)


def check_kinds(document: Row) -> None:
    """Refuse assets of a wrong kind in crews and among their cards, and open rounds and fixtures in a finished season.

    Raises Malformed (season_document_bad_value).
    """
    for number, crew in enumerate(document["crews"]):
        for part in ("unit", "pilot"):
            if crew[part] is not None and _kind(crew[part]) != part:
                raise values.not_one_of(f"crews[{number}].{part}", crew[part], f"…:{part}:…")
    for number, card in enumerate(document["crew_cards"]):
        if _kind(card["asset"]) not in CARDS:
            raise values.not_one_of(f"crew_cards[{number}].asset", card["asset"], *(f"…:{kind}:…" for kind in CARDS))
    if document["season"]["state"] == Season.State.FINISHED:
        for name, settled in (("rounds", Round.State.SETTLED), ("fixtures", Fixture.State.SETTLED)):
            for number, row in enumerate(document[name]):
                if row["state"] != settled:
                    raise values.not_one_of(f"{name}[{number}].state", row["state"], settled.value)


def _kind(stand: str) -> str:
    """Return the kind of an asset, from its stand-in: "3:unit:SOL002:1"."""
    return stand.split(":")[1]


class LineUps:
    """The crews of each fixture by the ids of their units in its match, collected once for a whole document.

    Fixtures with a forfeit are never compared.
    """

    def __init__(self, document: Row) -> None:
        self.arenas = {f"{row['round']}/{row['number']}": row["arena_key"] for row in document["fixtures"]}
        crews: dict[str, list[Row]] = {}
        for row in sorted(document["crews"], key=lambda row: int(row["position"])):
            crews.setdefault(row["line_up"], []).append(row)
        self.cards: dict[str, list[str]] = {}
        for row in document["crew_cards"]:
            self.cards.setdefault(row["crew"], []).append(row["asset"])
        self.crews: dict[str, dict[str, Row]] = {}
        self.incomplete: set[str] = set()
        counts: dict[tuple[str, str], int] = {}
        for side in document["sides"]:
            fixture, name = side["fixture"], side["side"]
            if side["forfeits"]:
                # The side may have forfeited before its match began or after, so it may be in the match or not.
                self.incomplete.add(fixture)
            for crew in crews.get(f"{fixture}:{side['stable']}", ()):
                counts[fixture, name] = counts.get((fixture, name), 0) + 1
                self.crews.setdefault(fixture, {})[f"{name}-{counts[fixture, name]}"] = crew

    def check_setup(self, of: str, setup: Row, place: str) -> None:
        """Compare the setup of a match with the line-ups and arena of its fixture; accept a match for a title.

        `of` is the match's stand-in. Raises SeasonRefused (season_document_result_differs).
        """
        if of.startswith(TITLE) or of in self.incomplete:
            return
        crews = self.crews.get(of, {})
        loadouts = {unit["id"]: unit for side in setup["sides"] for unit in side["units"]}
        if sorted(loadouts) != sorted(crews):
            raise differs(DIFFER, f"{place}.setup", ", ".join(sorted(crews)), ", ".join(sorted(map(str, loadouts))))
        for name, crew in crews.items():
            loadout = loadouts[name]
            cards = self.cards.get(f"{crew['line_up']}:{crew['position']}", [])
            pilot = loadout.get("pilot")
            brought = [*loadout.get("gear", ()), *loadout.get("hand", ())]
            facts: list[tuple[str, Any, Any]] = [
                ("unit", _key(crew["unit"]), loadout["unit"]["id"]),
                ("pilot", _key(crew["pilot"]), None if pilot is None else pilot["id"]),
                ("damage", crew["damage"], loadout.get("clicks", 0)),
                ("cards", sorted(str(_key(card)) for card in cards), sorted(str(card["id"]) for card in brought)),
            ]
            for what, stored, found in facts:
                if stored != found:
                    raise differs(DIFFER, f"crews of {crew['line_up']}.{what}", stored, found)
        arena = self.arenas.get(of, "")
        # A ground of several maps has no id of its own.
        if "+" not in arena and setup["arena"].get("id") != arena:
            raise differs(DIFFER, f"fixture {of}.arena_key", arena, setup["arena"].get("id"))

    def check_results(self, document: Row) -> None:
        """Compare the units and pilots of each result with the line-ups of its fixture.

        Raises Malformed (season_document_bad_value) or SeasonRefused (season_document_result_differs).
        """
        for position, row in enumerate(document["results"]):
            place, crews = f"results[{position}].document.units", self.crews.get(row["fixture"], {})
            try:
                for name, unit in row["document"]["units"].items():
                    if row["fixture"] in self.incomplete:
                        continue
                    crew = crews.get(name, {"unit": None, "pilot": None})
                    stored = (f"{unit['stable']}:{unit['asset']}", unit["pilot"])
                    pilot = None if crew["pilot"] is None else crew["pilot"].partition(":")[2]
                    if stored != (crew["unit"], pilot):
                        raise differs(DIFFER, f"{place}.{name}", stored, (crew["unit"], pilot))
            except BROKEN:
                raise values.wrong_format(place, row["document"]) from None


def _key(stand: str | None) -> str | None:
    return None if stand is None else stand.split(":")[2]
