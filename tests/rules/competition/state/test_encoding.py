"""Events at the edge: names for numbers, nothing unreadable, the same in every process."""

import os
import random
import subprocess
import sys
from typing import Any, get_args, get_type_hints

import pytest

from rules.competition.replay import snapshots_at
from rules.competition.state.encoding import EventCodec
from rules.competition.state.event_kinds import FIELDS, KIND_OF, KINDS, WRITERS, Event, nothing
from rules.core.codec import content_hash
from rules.core.refusals import Malformed
from tests.rules.board import decisions, duel, flat, ran, random_match

FORMS = set("uUtTshHkoepnS")


def test_every_kind_has_a_name_fields_and_a_writer() -> None:
    assert len(KINDS) == len(FIELDS) == len(WRITERS) == len(set(KINDS)) == len(KIND_OF)
    for kind, fields in zip(KINDS, FIELDS, strict=True):
        names = [name for name, _ in fields]
        assert len(set(names)) == len(names), kind
        assert not {"event", "see"} & set(names), kind
        assert {form for _, form in fields} <= FORMS, kind


def test_writers_name_a_type_for_every_field_of_their_events() -> None:
    typed = {kind: get_type_hints(writer)["event"] for kind, writer in enumerate(WRITERS) if writer is not nothing}
    assert Event not in typed.values(), "a writer that says nothing of its fields"
    missing = {KINDS[kind] for kind, shape in typed.items() if len(get_args(shape)) != 1 + len(FIELDS[kind])}
    assert not missing


@pytest.mark.parametrize(
    "document",
    [
        {"event": "lunch"},
        {},
        {"event": "passed"},
        {"event": "passed", "unit": "nobody"},
        {"event": "turn_order", "order": ["a", "nobody"]},
        {"event": "turn_order", "order": None},
        {"event": "phase_began", "phase": "lunch"},
        {"event": "order_given", "unit": "a", "order": "lunch", "reaction": False},
        {"event": "unit_placed", "unit": "a", "hex": "9999", "facing": 0},
        {"event": "damage_scored", "unit": "a", "target": "t9", "scored": 1, "dealt": 1, "why": None},
        {"event": "equipment_cancelled", "unit": "a", "equipment": ["lunch"]},
        {"event": "surrendered", "side": "green", "units": []},
    ],
    ids=str,
)
def test_events_that_cannot_be_read_are_malformed(document: dict[str, Any]) -> None:
    codec = EventCodec(ran(duel()).match.table.roster)
    with pytest.raises(Malformed):
        codec.decode(document)


@pytest.mark.parametrize("seed", range(8))
def test_the_last_frame_of_a_replay_is_the_end_of_the_match(seed: int) -> None:
    match = random_match(seed, sides=2 + seed % 3, units=4)
    for _ in decisions(match, random.Random(seed)):
        pass
    events = flat(match)
    (last,) = snapshots_at(match.setup, events, [len(events)])
    assert last == match.snapshot()
    assert last["winner"] is not None


def digest(seed: int) -> str:
    """The hash of all events of one random match."""
    match = random_match(seed, sides=3, units=5)
    for _ in decisions(match, random.Random(seed)):
        pass
    return content_hash(match.events)


def test_a_match_is_the_same_in_every_process() -> None:
    """Python's hashes of texts differ from process to process; nothing in a match may depend on them."""
    code = "from tests.rules.competition.state.test_encoding import digest; print(digest(17))"
    found = {digest(17)}
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        found.add(done.stdout.strip())
    assert len(found) == 1
