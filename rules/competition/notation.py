"""A replay as text: one fact a line, readable, and as exact as the JSON document.

    replay 1
    rules_version "1.0"
    setup {...}
    seed "a3f1..."
    seed_commitment "9c02..."
    moved unit="red" path=["0403"] hex="0403" facing=6 mode="walk"
    > {"unit":"blue","order":"pass"}
    passed unit="blue"
    result {...}

A line that begins with `>` is an action; the lines after it, up to the next, are its events. Values are JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rules.core.codec import SCHEMA_VERSION
from rules.core.refusals import Malformed

HEADER = f"replay {SCHEMA_VERSION}"
FACTS = ("match", "rules_version", "setup", "seed", "seed_commitment")
_SEEN = "all"


def to_text(document: Mapping[str, Any]) -> str:
    """Return a replay document as text; a line feed ends each line."""
    lines = [HEADER]
    lines.extend(f"{key} {_json(document[key])}" for key in FACTS if key in document)
    for number, events in enumerate(document["events"]):
        if number:
            lines.append(f"> {_json(document['actions'][number - 1])}")
        lines.extend(_event_line(event) for event in events)
    lines.append(f"result {_json(document.get('result'))}")
    return "\n".join(lines) + "\n"


def from_text(text: str) -> dict[str, Any]:
    """Read the text form back into a replay document. Blank lines and lines that begin with `#` are ignored.

    Raises Malformed("bad_replay"), which names the line.

    >>> from_text('replay 1\\nmoved unit="red" facing=6\\nresult null\\n')["events"]
    [[{'event': 'moved', 'see': 'all', 'unit': 'red', 'facing': 6}]]
    """
    lines = text.splitlines()
    if not lines or lines[0].strip() != HEADER:
        raise Malformed("bad_replay", line=1)
    document: dict[str, Any] = {"schema": SCHEMA_VERSION, "actions": [], "events": [[]], "result": None}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip() or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        try:
            if word in FACTS or word == "result":
                document[word] = json.loads(rest)
            elif word == ">":
                document["actions"].append(json.loads(rest))
                document["events"].append([])
            else:
                document["events"][-1].append(_read_event(word, rest))
        except ValueError as problem:
            raise Malformed("bad_replay", line=number) from problem
    return document


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _event_line(event: Mapping[str, Any]) -> str:
    fields = [
        f"{key}={_json(value)}"
        for key, value in event.items()
        if key != "event" and not (key == "see" and value == _SEEN)
    ]
    return " ".join([str(event["event"]), *fields])


def _read_event(kind: str, rest: str) -> dict[str, Any]:
    event: dict[str, Any] = {"event": kind, "see": _SEEN}
    decoder = json.JSONDecoder()
    position = 0
    while position < len(rest):
        key, equals, _ = rest[position:].partition("=")
        if not equals or not key.isidentifier():
            raise ValueError(f"{rest[position : position + 30]!r} is no field")
        value, position = decoder.raw_decode(rest, position + len(key) + 1)
        event[key] = value
        position += 1
    return event
