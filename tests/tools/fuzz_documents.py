"""Damage every kind of document that the site takes, and read it: `make fuzz` begins with it.

    python -m tests.tools.fuzz_documents [--count 20000] [--seed 7]

The kinds are catalogues, units for real tables, foreign files with the mappings that come with the game and with sent
ones, sheets, checklists, results of matches, replays and documents of whole seasons. Whatever is sent is read or
refused, with its place and a sentence. Anything else is raised, with the number of the document. The numbers of `count`
documents follow from the seed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

COUNT = 20_000

ODD: list[Any] = [
    *(None, [], {}, [[]], {"at": {}}, True, False, -1, 0, 10**30, 1.5, "", "red", "\u2212", "*", "9" * 400),
    *(["a"] * 50, "@key", "\u202e", "\ud800"),
]


class Sample(NamedTuple):
    """A document that is read as it is, what reads its bytes, and its share of all documents (`weight`)."""

    content: Any
    read: Callable[[bytes], object]
    weight: int = 10


def send_damaged(samples: Mapping[str, Sample], *, seed: int, count: int) -> tuple[Counter[str], int]:
    """Read `count` damaged documents; return how many were refused, by kind, and how many were read.

    Raises what a reader raises that is no refusal, with a note that names the kind and the number of the document.
    """
    from rules.core.refusals import Malformed, Refused

    dice = random.Random(seed)
    names, weights = list(samples), [sample.weight for sample in samples.values()]
    refused: Counter[str] = Counter()
    for number in range(count):
        [name] = dice.choices(names, weights)
        content, read, _ = samples[name]
        sent = damaged(dice, content)
        try:
            read(sent)
        except (Malformed, Refused) as refusal:
            require_sentence(refusal)
            refused[name] += 1
        except Exception as problem:
            problem.add_note(f"document {number + 1} of seed {seed}, {name}: {sent[:2000]!r}")
            raise
    return refused, count


OF_WHOLE_FILES = {
    *("not_a_catalogue", "checklist_columns", "is_a_workbook", "not_a_sheet", "wrong_count", "unprintable_text"),
    *("file_too_full", "file_too_large", "file_of_other_game", "mapping_missing", "mapping_unused", "unknown_form"),
    "nothing_to_map",
    *("not_an_object", "bad_replay", "season_document_unreadable", "season_document_unknown_format"),
    *("season_document_redacted", "season_document_unfinished", "season_document_not_stored"),
}
"""The codes of what is wrong with a document as a whole. No part of it is their place."""

PLACES = ("place", "field", "match", "slug", "row", "column", "line", "where", "key")
"""The parameters that say where."""


def require_sentence(refusal: Any) -> None:
    """Hold that a refusal can be answered: its parameters are JSON, its sentences can be said, and it says where.

    A fault of a file says the file, and the part of it unless the whole is wrong. What cannot be true in the report of
    a match is about its numbers: its sentence has them.
    """
    from catalogue.text import labels
    from rules.catalogue import CatalogueError
    from rules.wording import sentence

    json.dumps(refusal.parameters)
    if not isinstance(refusal, CatalogueError):
        assert sentence(refusal.code, refusal.parameters)
        if not refusal.code.startswith("report_"):
            assert refusal.code in OF_WHOLE_FILES or _says_where(refusal.parameters), refusal
        return
    assert refusal.problems
    for problem in refusal.problems:
        assert labels.sentence(problem.code, problem.parameters) not in ("", problem.code)
        place = labels.location(problem)
        assert problem.file
        assert all(part.strip() in place for part in (problem.file, problem.id, problem.field) if part)
        is_in_part = problem.kind is not None or problem.field is not None or _says_where(problem.parameters)
        assert is_in_part or problem.code in OF_WHOLE_FILES, problem


def _says_where(parameters: Mapping[str, Any]) -> bool:
    return any(str(parameters.get(name, "")) not in ("", "None", "False", "[]") for name in PLACES)


def damaged(dice: random.Random, content: Any) -> bytes:
    """Return a document as bytes, with something odd in one to four places of it, or with some wrong bytes.

    A text is damaged by its bytes or by its cells, anything else is sent as JSON.
    """
    if isinstance(content, str):
        text = bytearray(content.encode())
        for _ in range(dice.randint(1, 6)):
            at = dice.randrange(len(text))
            if dice.random() < 0.5:
                text[at] = dice.randrange(256)
            else:
                text[at : at + dice.randint(0, 9)] = dice.choice((b"", b";", b"-1", b"99999", b"\r\n", b'"', b"x\t"))
        return bytes(text)
    changed = deepcopy(content)
    for _ in range(dice.randint(1, 4)):
        changed = _put(dice, changed)
    # Half a pair of surrogates is JSON by its escape only.
    text = bytearray(json.dumps(changed).encode())
    if dice.random() < 0.05:
        text[dice.randrange(len(text))] = dice.randrange(256)
    return bytes(text)


def _put(dice: random.Random, content: Any) -> Any:
    """Return a document in which one place has something odd, is missing, or stands twice."""
    place = content
    while isinstance(place, dict | list) and place:
        key = dice.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if not isinstance(place[key], dict | list) or not place[key] or dice.random() < 0.15:
            act = dice.random()
            if act < 0.15:
                del place[key]
            elif act < 0.25 and isinstance(place, list):
                place.append(deepcopy(place[key]))
            else:
                place[key] = deepcopy(dice.choice(ODD))
            return content
        place = place[key]
    return deepcopy(dice.choice(ODD))


def samples() -> dict[str, Sample]:
    """Return the kinds of documents that are read without a database, by their names."""
    from rules.catalogue import load_builtin
    from rules.catalogue.checklists import read_checklist
    from rules.catalogue.mapping import shipped_mappings
    from rules.catalogue.sheets import write_units
    from tests.catalogue.own_mapping import FIGURES, OWN, ROWS, TABLE
    from tests.catalogue.table_unit import FIGURE, UNCOUNTED
    from tests.catalogue.test_foreign_forms import by_columns, by_steps
    from tests.catalogue.test_mapping import foreign
    from tests.catalogue.test_written_cells import SHEET

    builtin = load_builtin()
    first = {kind: min(builtin.of_kind(kind).values(), key=lambda item: len(str(item))) for kind in _KINDS}
    whole = {"schema": 1, **{kind: [item] for kind, item in first.items()}}
    unit = builtin.units["HSE007"]
    mapped = {"columns_of_colours": by_columns(), "dial_steps": by_steps(), "tagged_clicks": foreign()}
    assert mapped.keys() == shipped_mappings().keys()
    return {
        "a catalogue": Sample(whole, _file("own.json"), 40),
        "a unit": Sample(unit, _file("own.json"), 20),
        "units for real tables": Sample([FIGURE, UNCOUNTED], _file("own.json")),
        **{f"a file for {form}": Sample(content, _file("own.json", form)) for form, content in mapped.items()},
        "a sent mapping with its file": Sample({"file": FIGURES, "mapping": OWN}, _mapped, 20),
        "a sent mapping of a table": Sample({"file": "\n".join(ROWS), "mapping": TABLE}, _mapped, 20),
        "a sheet": Sample(write_units([unit, FIGURE]), _file("own.csv")),
        "a sheet as people write it": Sample(SHEET, _file("own.csv")),
        "a sheet of bases alone": Sample("Name;Number;Class;Points\nOld Frost;2;Light;96\n", _file("own.csv")),
        "a checklist": Sample(
            "Set;Number;Name;Quantity\nICE;1;Frostbite;2\nICE;2;Old;x\n", lambda sent: read_checklist("l.csv", sent)
        ),
        "a result of a match": Sample(_report(), _read_report, 20),
    }


_KINDS = ("units", "gear", "pilots", "rally_cards", "target_tokens", "arenas")


def _file(name: str, form: str = "") -> Callable[[bytes], object]:
    from catalogue.services.files import read_file
    from rules.catalogue import Catalogue

    return lambda sent: Catalogue.from_documents([read_file(name, sent, form).document])


def _mapped(sent: bytes) -> None:
    """Read a file by the mapping that is sent with it; both stand in one document."""
    from catalogue.services.files import read_file, read_mapping
    from rules.catalogue import Catalogue, parse_document

    both = parse_document("both.json", sent).content
    if isinstance(both, dict) and {"file", "mapping"} <= both.keys():
        file = both["file"].encode() if isinstance(both["file"], str) else json.dumps(both["file"]).encode()
        mapping = read_mapping("map.json", json.dumps(both["mapping"]).encode())
        Catalogue.from_documents([read_file("own.txt", file, "mapping", mapping).document])


def _report() -> dict[str, Any]:
    units = {"red-1": {"clicks": 4, "eliminated": False, "kills": 1}, "blue-1": {"clicks": 12, "eliminated": True}}
    sides = {"red": {"tokens": 10, "flags": 0}, "blue": {"eliminations": 0, "tokens": 5, "surrendered": False}}
    return {"ended_by": "elimination", "winner": "red", "sides": sides, "units": units}


def _read_report(sent: bytes) -> None:
    """Read the report of a match, and hold it against what can be true there."""
    from rules.campaign.results.report_checks import problems
    from rules.campaign.results.reports import read
    from rules.catalogue import parse_document
    from tests.rules.campaign.test_reports import duel

    contest = duel(pilot_death=True)
    for problem in problems(contest, read(parse_document("report.json", sent).content, contest)):
        require_sentence(problem)


def large_samples() -> dict[str, Sample]:
    """Return the kinds that take long: replays, and documents of a season, which is played for it in the database."""
    from stables.documents.columns import FULL, PUBLISHED
    from tests.stables.documents.conftest import exported
    from tests.stables.documents.played_season import finished_season
    from tests.tools.golden import replay

    season = finished_season()
    documents = {
        f"a {name} document of a season": Sample(json.loads(exported(season, contents)), _import, 1)
        for name, contents in (("full", FULL), ("published", PUBLISHED))
    }
    return {**documents, "a replay": Sample(replay("standard-1"), _verify, 1)}


def _import(sent: bytes) -> None:
    """Import a season's document, and take it back."""
    from django.db import transaction

    from stables.documents.reading import SeasonText
    from stables.documents.storing import import_season

    with transaction.atomic():
        import_season(SeasonText.of(sent), slug="moved", allow_other_rules=True)
        transaction.set_rollback(True)


def _verify(sent: bytes) -> None:
    """Check a replay as `python -m rules.verify` does."""
    from rules.core.refusals import Malformed
    from rules.verify import main as verify

    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()), redirect_stderr(StringIO()) as told:
        file = Path(folder) / "match.json"
        file.write_bytes(sent)
        if verify([str(file)]) and "not a replay" in told.getvalue():
            raise Malformed("bad_replay", problem=told.getvalue())


def send_all(*, seed: int, count: int) -> None:
    """Send damaged documents of every kind, print what became of them, and leave nothing in the open database."""
    from django.db import transaction

    with transaction.atomic():
        refused, read = send_damaged({**samples(), **large_samples()}, seed=seed, count=count)
        transaction.set_rollback(True)
    print(f"{read} documents, {refused.total()} of them refused, each with its place and a sentence:", flush=True)
    for name, times in sorted(refused.items()):
        print(f"  {times:6} {name}")


def main() -> int:
    """Run everything in a database of its own."""
    from tests.tools.fuzz_api import open_database

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=COUNT, help=f"documents (default {COUNT})")
    parser.add_argument("--seed", type=int, default=7, help="seed of the damage (default 7)")
    options = parser.parse_args()
    print(f"Seed {options.seed}.", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        open_database(folder)
        send_all(seed=options.seed, count=options.count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
