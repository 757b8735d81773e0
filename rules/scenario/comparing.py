"""Comparison of a match's outcome with a scenario's expectation. Of objects only the expected keys are compared, lists
and values as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def attacks_of(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every resolved attack in order, in the form of an entry of `expect.attacks`."""
    current: dict[str, Any] | None = None
    for event in events:
        if event["event"] == "attack_resolved":
            if current is not None:
                yield current
            targets = event["why"]["targets"]
            current = {
                "unit": event["unit"],
                "roll": event["why"]["roll"],
                "hit": event["hit"],
                "critical": event["critical"],
                "result": {name: target["result"] for name, target in targets.items()},
                "modifiers": {name: target["modifiers"] for name, target in targets.items()},
                "defense": {name: target["defense"] for name, target in targets.items()},
                "scored": {name: 0 for name in targets if name not in event["hit"]},
                "dealt": {name: 0 for name in targets if name not in event["hit"]},
            }
        elif event["event"] == "damage_scored" and current is not None:
            current["scored"][event["target"]] = event["scored"]
            current["dealt"][event["target"]] = event["dealt"]
    if current is not None:
        yield current


def compared(expected: Any, found: Any, where: str) -> Iterator[str]:
    """Yield a line for each difference. Of objects only the expected keys are compared, lists and values as a whole.

    `where` is the path of what is compared.

    >>> list(compared({"heat": 2}, {"heat": 1, "clicks": 0}, "red"))
    ['red.heat: expected 2, found 1']
    """
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            if key not in found:
                yield f"{where}.{key}: expected {json.dumps(value)}, there is none"
            else:
                yield from compared(value, found[key], f"{where}.{key}")
    elif expected != found or isinstance(expected, bool) is not isinstance(found, bool):
        yield f"{where}: expected {json.dumps(expected)}, found {json.dumps(found)}"


def attack_differences(expected: list[Any], found: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each difference between attacks: their number, the expected keys of each, all modifiers of the
    targets that the expectation names.

    Attacks are not compared when their number differs.
    """
    if len(expected) != len(found):
        yield f"attacks: expected {len(expected)}, found {len(found)}"
        return
    for number, (wanted, attack) in enumerate(zip(expected, found, strict=True), start=1):
        for name, modifiers in (wanted.get("modifiers") or {}).items():
            if modifiers != attack["modifiers"].get(name):
                yield (
                    f"attacks[{number}].modifiers.{name}: expected {json.dumps(modifiers)}, "
                    f"found {json.dumps(attack['modifiers'].get(name))}"
                )
        rest = {key: value for key, value in wanted.items() if key != "modifiers"}
        yield from compared(rest, attack, f"attacks[{number}]")


def missing_events(expected: list[Any], found: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for the first expected event that did not happen in this order; nothing if all did."""
    position = 0
    for number, wanted in enumerate(expected, start=1):
        while position < len(found) and list(compared(wanted, found[position], "")):
            position += 1
        if position == len(found):
            yield f"events[{number}]: {json.dumps(wanted)} did not happen in this order"
            return
        position += 1
