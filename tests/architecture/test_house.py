"""Bounds on the whole source: length of modules, migrations that match the models."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.architecture.imports import ROOMS, source_files

ROOT = Path(__file__).resolve().parents[2]
LONGEST_MODULE = 400


def test_every_module_can_be_read_in_one_sitting() -> None:
    lengths = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n")
        for room in (*ROOMS, "tests")
        for path in source_files(ROOT, room)
    }
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}


@pytest.mark.django_db
def test_migrations_match_the_models() -> None:
    output = StringIO()
    try:
        call_command("makemigrations", check=True, dry_run=True, stdout=output)
    except SystemExit:
        pytest.fail(output.getvalue())
