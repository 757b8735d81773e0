"""The arrows of the house, held without an exception list."""

from pathlib import Path

import pytest

from tests.architecture.imports import all_imports, wrong_between_rooms, wrong_inside_apps, wrong_inside_rules

ROOT = Path(__file__).resolve().parents[2]


def test_rooms_import_one_way() -> None:
    assert [str(found) for found in wrong_between_rooms(all_imports(ROOT))] == []


def test_rooms_of_the_rules_import_one_way_and_no_framework() -> None:
    assert [str(found) for found in wrong_inside_rules(all_imports(ROOT))] == []


def test_layers_of_an_app_import_one_way() -> None:
    assert wrong_inside_apps(all_imports(ROOT)) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("matches/a.py: from stables import models", "between rooms"),
        ("jobs/a.py: import people", "between rooms"),
        ("stables/a.py: def f(): import solaris_site.urls", "between rooms"),
        ("people/a.py: import_module('jobs.runner')", "between rooms"),
        ("commands/a.py: from people import models", "between rooms"),
        ("people/a.py: from commands import migrated", ""),
        ("rules/core/a.py: import django", "inside rules"),
        ("rules/core/a.py: from ..bots import greedy", "inside rules"),
        ("rules/campaign/a.py: from rules.competition import x", "inside rules"),
        ("rules/wording.py: | rules/core/a.py: from rules import wording", "inside rules"),
        ("rules/wording.py: import rules.bots.greedy, rules.core, json", ""),
        ("rules/core/a.py: from rules import RULES_VERSION", ""),
        ("jobs/services.py: | jobs/models.py: from jobs.services import x", "inside apps"),
        ("jobs/services.py: | jobs/a.py: import jobs.services | jobs/selectors.py: from jobs import a", "inside apps"),
        ("jobs/services.py: | jobs/views.py: from jobs.services import x", ""),
    ],
)
def test_the_check_sees_what_it_should(tmp_path: Path, text: str, wrong: str) -> None:
    for file in text.split(" | "):
        name, _, source = file.partition(":")
        path = tmp_path / name.strip()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source.strip(), encoding="utf-8")
    found = all_imports(tmp_path)
    seen = {
        "between rooms": wrong_between_rooms(found),
        "inside rules": wrong_inside_rules(found),
        "inside apps": wrong_inside_apps(found),
    }
    assert [name for name, problems in seen.items() if problems] == ([wrong] if wrong else [])
