"""Ways to change a season's document, each with the code and the place by which it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.core.dice import commitment

Document = dict[str, Any]
Change = Callable[[Document], Any]


def event(document: Document, match: int = 0) -> Document:
    """An event with dice in it."""
    for step in document["matches"][match]["steps"][1:]:
        for each in step["events"]:
            if "roll" in each or "dice" in each:
                found: Document = each
                return found
    raise AssertionError("nobody rolled")


def change_seed(document: Document) -> None:
    seed = document["matches"][0]["seed"]
    document["matches"][0]["seed"] = ("1" if seed[0] == "0" else "0") + seed[1:]


def change_seed_and_hash(document: Document) -> None:
    """Another seed with its own hash: not the one that the season's secret gives."""
    change_seed(document)
    document["matches"][0]["seed_commitment"] = commitment(bytes.fromhex(document["matches"][0]["seed"]))


def change_event(document: Document) -> None:
    found = event(document)
    key = "roll" if "roll" in found else "dice"
    found[key] = [99] if isinstance(found[key], list) else 99


def drop_step(document: Document) -> None:
    document["matches"][0]["steps"].pop()
    document["matches"][0]["last_sequence"] -= 1


def change_definition(document: Document) -> None:
    unit = document["catalogue"]["definitions"]["units"][0]
    unit["points"] += 1


def change_engine_result(document: Document, name: str) -> None:
    row = next(row for row in document["results"] if row["source"] == "engine")
    row["document"][name] = {"rounds": 99, "winner": "nobody"}[name]


def call_it_agreed(document: Document) -> None:
    """A result that says the opposite of its match, as if people had agreed on it."""
    row = next(row for row in document["results"] if row["source"] == "engine")
    row["source"] = row["document"]["source"] = "agreed"
    row["document"]["rounds"] += 1


def call_it_forfeited(document: Document) -> None:
    row = next(row for row in document["results"] if row["source"] == "engine")
    row["source"] = row["document"]["source"] = "forfeit"


def rename_source(document: Document) -> None:
    next(row for row in document["results"] if row["source"] == "engine")["document"]["source"] = "agreed"


def drop_a_unit_of_a_result(document: Document) -> None:
    units = next(row for row in document["results"] if row["source"] == "engine")["document"]["units"]
    units.pop(next(name for name in units if not units[name]["kills"]))


def swap_places(document: Document) -> None:
    first, second = (row for row in document["placings"] if row["cycle"] == 2 and row["place"] in (1, 2))
    first["place"], second["place"] = second["place"], first["place"]


def drop_places(document: Document) -> None:
    document["placings"] = [row for row in document["placings"] if row["cycle"] != 2]


def drop_a_place(document: Document) -> None:
    document["placings"].remove(next(row for row in document["placings"] if row["revision"] == 2))


def raise_purse(document: Document) -> None:
    """A purse of 100 more, in the placing and in the ledger."""
    row = next(row for row in document["placings"] if row["cycle"] == 2 and row["place"] == 1)
    row["purse"] += 100
    shift(document, f"cycle:{{2}}:stable:{{{row['stable']}}}:purse", 100)


def shift(document: Document, key: str, amount: int) -> None:
    """Change an entry of the ledger with all that follows from it."""
    position, entry = next(each for each in enumerate(document["ledger"]) if each[1]["idempotency_key"].endswith(key))
    entry["amount"] += amount
    for each in document["ledger"][position:]:
        if each["stable"] == entry["stable"]:
            each["balance_after"] += amount
    next(row for row in document["stables"] if row["number"] == entry["stable"])["capital"] += amount


def first_key(document: Document, part: str) -> str:
    return next(str(row["idempotency_key"]) for row in document["ledger"] if part in row["idempotency_key"])


def give_stones(document: Document) -> None:
    """An entry for nothing, with all that follows from it."""
    last = document["ledger"][-1]
    balance, sequence = last["balance_after"] + 999, last["sequence"] + 1
    document["ledger"].append(
        {**last, "sequence": sequence, "amount": 999, "balance_after": balance, "idempotency_key": "other:gift"}
    )
    next(row for row in document["stables"] if row["number"] == last["stable"])["capital"] += 999


def pay_the_purse_twice(document: Document) -> None:
    """As the place of a cycle that nobody played."""
    give_stones(document)
    stable = document["ledger"][-1]["stable"]
    document["ledger"][-1].update(cause="purse", idempotency_key=f"cycle:{{2}}:stable:{{{stable}}}:purse:withheld")


def drop_a_purchase(document: Document) -> None:
    """What was bought is owned, and was never paid."""
    at = max(number for number, row in enumerate(document["ledger"]) if ":buy:" in row["idempotency_key"])
    shift(document, document["ledger"][at]["idempotency_key"], -document["ledger"][at]["amount"])
    stable = document["ledger"].pop(at)["stable"]
    for entry in document["ledger"][at:]:
        if entry["stable"] == stable:
            entry["sequence"] -= 1


def crew_in_match(document: Document) -> Document:
    """A crew that fought in the first match."""
    of = document["matches"][0]["of"]
    return next(row for row in document["crews"] if row["line_up"].startswith(f"{of}:"))


def send_another_unit(document: Document) -> None:
    crew = crew_in_match(document)
    stable, _, key, _ = crew["unit"].split(":")
    others = [row for row in document["assets"] if str(row["stable"]) == stable and row["kind"] == "unit"]
    other = next(row for row in others if row["catalogue_key"] != key)
    crew["unit"] = f"{stable}:unit:{other['catalogue_key']}:{other['serial']}"


def send_a_pilot_for_a_unit(document: Document) -> None:
    crew = next(row for row in document["crews"] if row["pilot"])
    crew["unit"] = crew["pilot"]


def swap_sides(document: Document) -> None:
    of = document["matches"][0]["of"]
    first, second = (row for row in document["sides"] if row["fixture"] == of)
    first["side"], second["side"] = second["side"], first["side"]


def play_elsewhere(document: Document) -> None:
    of = document["matches"][0]["of"]
    row = next(row for row in document["fixtures"] if f"{row['round']}/{row['number']}" == of)
    arenas = [each["id"] for each in document["catalogue"]["definitions"]["arenas"]]
    row["arena_key"] = next(each for each in arenas if each != row["arena_key"])


def hurt_before(document: Document) -> None:
    crew_in_match(document)["damage"] += 1


def drop_a_card(document: Document) -> None:
    of = {row["of"] for row in document["matches"]}
    card = next(row for row in document["crew_cards"] if row["crew"].split(":")[0] in of)
    document["crew_cards"].remove(card)


def give_title_away(document: Document) -> None:
    """Another stable is champion, with its own true record."""
    row = next(row for row in document["titles"] if row["kind"] == "stable")
    row["stable"] = next(each["number"] for each in document["stables"] if each["number"] != row["stable"])
    own = [each for each in document["reputation"] if each["stable"] == row["stable"] and each["asset"] is None]
    row["reputation"], row["kills"] = sum(each["amount"] for each in own), sum(each["kills"] for each in own)


def drop_title(document: Document) -> None:
    document["titles"] = [row for row in document["titles"] if row["kind"] != "stable"]


def set_at(path: str, value: Any) -> Change:
    """Put a value where a path like `ledger.3.amount` leads."""

    def change(document: Document) -> None:
        *parts, last = path.split(".")
        place: Any = document
        for part in parts:
            place = place[int(part)] if part.lstrip("-").isdigit() else place[part]
        key: Any = int(last) if last.lstrip("-").isdigit() else last
        place[key] = value(place[key]) if callable(value) else value

    return change


def delete_at(path: str) -> Change:
    def change(document: Document) -> None:
        *parts, last = path.split(".")
        place: Any = document
        for part in parts:
            place = place[int(part)] if part.isdigit() else place[part]
        del place[last]

    return change


def more(amount: int) -> Callable[[int], int]:
    return lambda value: value + amount


CHANGES: dict[str, tuple[Change, str, str]] = {
    # Books.
    "an amount": (set_at("ledger.3.amount", more(1)), "ledger_differs", "ledger[3].balance_after"),
    "a balance": (set_at("ledger.3.balance_after", more(1)), "ledger_differs", "ledger[3].balance_after"),
    "a number": (set_at("ledger.3.sequence", more(1)), "ledger_differs", "ledger[3].sequence"),
    "a capital": (set_at("stables.1.capital", more(7)), "ledger_differs", "stables[1].capital"),
    "an entry less": (lambda document: document["ledger"].pop(), "ledger_differs", "stables["),
    "a key twice": (
        lambda document: document["ledger"][1].update(idempotency_key=document["ledger"][0]["idempotency_key"]),
        "ledger_differs",
        "ledger[1].idempotency_key",
    ),
    "a capital to start with": (
        lambda document: shift(document, "starting_capital", 5000),
        "ledger_differs",
        "ledger[0].amount",
    ),
    "a cheaper purchase": (
        lambda document: shift(document, first_key(document, ":buy:"), 5),
        "ledger_differs",
        "ledger[",
    ),
    "a price that was paid": (set_at("assets.0.price_paid", more(7)), "ledger_differs", "assets[0].price_paid"),
    "a purchase that nobody paid": (drop_a_purchase, "ledger_differs", "assets["),
    "a gift": (give_stones, "ledger_differs", "ledger["),
    "another cause": (set_at("ledger.0.cause", "purse"), "ledger_differs", "ledger[0].cause"),
    "a cause that is not its key's": (pay_the_purse_twice, "ledger_differs", "ledger["),
    "an asset that was never bought": (set_at("assets.0.purchases", more(1)), "ledger_differs", "assets[0].purchases"),
    "reputation": (set_at("reputation.0.amount", more(5)), "reputation_differs", "reputation["),
    "kills": (set_at("reputation.1.kills", more(1)), "reputation_differs", "reputation["),
    "a place's reputation": (set_at("placings.-1.reputation", more(1)), "places_differ", "placings["),
    "a purse": (set_at("placings.0.purse", more(1)), "places_differ", "placings[0].purse"),
    "a champion's record": (set_at("titles.0.reputation", more(1)), "places_differ", "titles[0].reputation"),
    "places that are swapped": (swap_places, "places_differ", "placings["),
    "what decided a place": (set_at("placings.-1.decided_by", "kills and wins"), "places_differ", "placings["),
    "a cycle without places": (drop_places, "ledger_differs", "ledger["),
    "a place less": (drop_a_place, "places_differ", "cycles[0]"),
    "a purse in both books": (raise_purse, "places_differ", "placings["),
    "a cycle in its market": (set_at("cycles.1.state", "market"), "places_differ", "cycles[1].state"),
    "another champion": (give_title_away, "places_differ", "titles["),
    "a title that nobody holds": (drop_title, "places_differ", "titles"),
    "what decided a title": (set_at("titles.0.decided_by", "kills"), "places_differ", "titles["),
    "a result's rounds": (lambda document: change_engine_result(document, "rounds"), "result_differs", "results["),
    "a result's winner": (lambda document: change_engine_result(document, "winner"), "result_differs", "results["),
    "a result beside its match": (call_it_agreed, "result_differs", "results["),
    "a forfeit beside its match": (call_it_forfeited, "result_differs", "results["),
    "another source inside": (rename_source, "result_differs", "results["),
    "a result with a unit less": (drop_a_unit_of_a_result, "result_differs", "results["),
    "a result without its units": (
        lambda document: document["results"][0]["document"].pop("units"),
        "field_missing",
        "results[0].document",
    ),
    "another unit in a line-up": (send_another_unit, "result_differs", "results["),
    "a pilot for a unit": (send_a_pilot_for_a_unit, "bad_value", "crews["),
    "sides that are swapped": (swap_sides, "result_differs", "results["),
    "another arena": (play_elsewhere, "result_differs", "fixture "),
    "a unit that was damaged before": (hurt_before, "result_differs", "crews of "),
    "a card less": (drop_a_card, "result_differs", "crews of "),
    "a round that goes on": (set_at("rounds.0.state", "paired"), "bad_value", "rounds[0].state"),
    "a fixture that goes on": (set_at("fixtures.0.state", "line_ups"), "bad_value", "fixtures[0].state"),
    "a contender": (set_at("sudden_deaths.0.contenders", ["me"]), "bad_value", "sudden_deaths[0].contenders[0]"),
    # Matches.
    "a seed": (change_seed, "seed_differs", "matches[0].seed_commitment"),
    "a seed with its hash": (change_seed_and_hash, "seed_differs", "matches[0].seed"),
    "a commitment": (set_at("matches.0.seed_commitment", "0" * 64), "seed_differs", "matches[0].seed_commitment"),
    "an event": (change_event, "match_differs", "matches[0].steps["),
    "an action": (
        set_at("matches.0.steps.1.action", {"unit": "nobody", "order": "pass"}),
        "match_differs",
        "matches[0]",
    ),
    "a step less": (drop_step, "match_differs", "matches[0]"),
    "a match's result": (set_at("matches.0.result.rounds", more(1)), "match_differs", "matches[0].result"),
    "a setup": (set_at("matches.0.setup.sides.0.units.0.unit.points", more(1)), "match_differs", "matches[0]"),
    "a step's side": (set_at("matches.0.steps.1.side", "gold"), "bad_value", "matches[0].steps[1].side"),
    # Hashes.
    "a definition": (change_definition, "catalogue_differs", "catalogue.content_hash"),
    "the release's hash": (
        set_at("catalogue.content_hash", "0" * 64),
        "catalogue_differs",
        "catalogue.content_hash",
    ),
    "an asset's hash": (set_at("assets.2.content_hash", "0" * 64), "catalogue_differs", "assets[2].content_hash"),
    # The form.
    "another format": (set_at("format", "something-else"), "unknown_format", ""),
    "another schema": (set_at("schema", 2), "unknown_format", ""),
    "true for a schema": (set_at("schema", True), "unknown_format", ""),
    "a fraction for a schema": (set_at("schema", 1.0), "unknown_format", ""),
    "a table less": (delete_at("sides"), "field_missing", "document"),
    "matches that are no list": (set_at("matches", {}), "bad_value", "matches"),
    "a table more": (lambda document: document.update(wings=[]), "field_unknown", "document"),
    "a missing field": (delete_at("stables.0.capital"), "field_missing", "stables[0]"),
    "an unknown field": (lambda document: document["assets"][4].update(colour="red"), "field_unknown", "assets[4]"),
    "an unknown field of a seat": (
        lambda document: document["matches"][0]["seats"][0].update(cheats=True),
        "field_unknown",
        "matches[0].seats[0]",
    ),
    "a huge number": (set_at("ledger.0.amount", 10**30), "bad_value", "ledger[0].amount"),
    "a huge number inside": (
        lambda document: document["log"][0]["parameters"].update(n=10**30),
        "bad_value",
        "log[0].parameters.n",
    ),
    "a fraction": (set_at("stables.0.capital", 1.5), "bad_value", "stables[0].capital"),
    "true for one": (set_at("stables.0.number", True), "bad_value", "stables[0].number"),
    "a text for a number": (set_at("rounds.0.number", "1"), "bad_value", "rounds[0].number"),
    "nothing where something must be": (set_at("cycles.0.format", None), "bad_value", "cycles[0].format"),
    "an unknown state": (set_at("rounds.0.state", "dancing"), "bad_value", "rounds[0].state"),
    "an address with slashes": (set_at("stables.0.slug", "a/b"), "bad_value", "stables[0].slug"),
    "a character zero": (set_at("log.0.code", "a\0b"), "bad_value", "log[0].code"),
    "half a character": (set_at("log.0.code", "\ud800"), "bad_value", "log[0].code"),
    "a time without offset": (set_at("log.0.created_at", "2030-01-01T00:00:00"), "bad_value", "log[0].created_at"),
    "a list for rows": (set_at("ledger", {}), "bad_value", "ledger"),
    "a text for a row": (set_at("ledger", ["money"]), "bad_value", "ledger[0]"),
    "an unknown stable": (set_at("ledger.0.stable", 77), "unknown_name", "ledger[0].stable"),
    "a list for a name": (set_at("ledger.0.stable", [1]), "unknown_name", "ledger[0].stable"),
    "an unknown person": (set_at("stables.0.owner", "mallory"), "unknown_name", "stables[0].owner"),
    "a person twice": (lambda document: document["people"].append("anna"), "twice", "people["),
    "a place twice": (
        lambda document: document["placings"].append(document["placings"][-1]),
        "twice",
        "placings[",
    ),
    "a match's id twice": (
        lambda document: document["matches"][1].update(public_id=document["matches"][0]["public_id"]),
        "twice",
        "matches[1].public_id",
    ),
    "a result twice": (lambda document: document["results"].append(document["results"][-1]), "twice", "results["),
    "a stable of the AI with an owner": (
        lambda document: next(row for row in document["stables"] if row["is_ai"]).update(owner=document["people"][0]),
        "bad_value",
        "stables[",
    ),
    "an eliminated pilot": (
        lambda document: next(row for row in document["assets"] if row["kind"] == "pilot").update(is_eliminated=True),
        "bad_value",
        "assets[",
    ),
    "a stable twice": (
        lambda document: document["stables"].append(document["stables"][0]),
        "twice",
        "stables[4]",
    ),
    "a key of its own making": (
        set_at("ledger.0.idempotency_key", "asset:17:buy:1"),
        "bad_value",
        "ledger[0].idempotency_key",
    ),
    "another stable's pilot": (
        lambda document: document["crews"][0].update(
            pilot=next(
                f"{asset['stable']}:{asset['kind']}:{asset['catalogue_key']}:{asset['serial']}"
                for asset in document["assets"]
                if asset["kind"] == "pilot" and asset["stable"] != int(document["crews"][0]["unit"].split(":")[0])
            )
        ),
        "bad_value",
        "crews[0].pilot",
    ),
    "an arena that nobody knows": (set_at("fixtures.0.arena_key", "moon"), "bad_value", "fixtures[0].arena_key"),
    "settings": (set_at("season.settings", {"cycles": 7}), "bad_value", "season.settings"),
    "a calendar": (set_at("season.calendar", {"mode": 3}), "bad_value", "season.calendar"),
    "a photo": (
        lambda document: next(row for row in document["write_ups"] if row["photo"]).update(photo="PHN2Zz4="),
        "bad_value",
        "write_ups[",
    ),
    "no secret": (set_at("season.secret", None), "bad_value", "season.secret"),
    # What cannot be a season here.
    "a season that goes on": (set_at("season.state", "running"), "unfinished", ""),
    "a redacted one": (set_at("contents", "redacted"), "redacted", ""),
    "contents of another name": (set_at("contents", "partial"), "bad_value", "contents"),
    "a full one that says it is published": (set_at("contents", "published"), "bad_value", "season.secret"),
}
