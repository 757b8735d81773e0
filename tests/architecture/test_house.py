"""Bounds on the whole source: length of modules, migrations that match the models."""

from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.architecture.imports import ROOMS, source_files
from tests.tools.house_map import arrows, drawn

ROOT = Path(__file__).resolve().parents[2]
LONGEST_MODULE = 400
MOST_MODULES = 25
"""In a folder, its `__init__` not counted; tests and migrations may be more."""
AT_THE_ROOT_OF_SEASONS = 5


def test_every_module_can_be_read_in_one_sitting() -> None:
    lengths = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n")
        for room in (*ROOMS, "tests")
        for path in source_files(ROOT, room)
    }
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}


def test_every_folder_can_be_looked_over() -> None:
    counts = Counter(
        str(path.parent.relative_to(ROOT))
        for room in ROOMS
        for path in source_files(ROOT, room)
        if path.name != "__init__.py"
    )
    assert {name: count for name, count in counts.items() if count > MOST_MODULES} == {}
    assert counts["stables"] <= AT_THE_ROOT_OF_SEASONS


@pytest.mark.django_db
def test_migrations_match_the_models() -> None:
    output = StringIO()
    try:
        call_command("makemigrations", check=True, dry_run=True, stdout=output)
    except SystemExit:
        pytest.fail(output.getvalue())


def test_the_picture_of_the_house_shows_its_arrows() -> None:
    assert drawn() == set(arrows()), "make map draws it anew"
