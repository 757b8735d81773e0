"""The arrows of the house, held without an exception list."""

from pathlib import Path

import pytest

from tests.architecture.imports import (
    Import,
    all_imports,
    answering_too_low,
    circles,
    handed_on,
    imports_of_migrations,
    modules_of,
    needing_development,
    unknown_rooms,
    without_layer,
    wrong_between_rooms,
    wrong_inside_apps,
    wrong_inside_rules,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def imports() -> list[Import]:
    """All imports of the project, read once for all who look at them."""
    return all_imports(ROOT)


def test_rooms_import_one_way(imports: list[Import]) -> None:
    assert [str(found) for found in wrong_between_rooms(imports)] == []


def test_rooms_of_the_rules_import_one_way_and_no_framework(imports: list[Import]) -> None:
    assert [str(found) for found in wrong_inside_rules(imports)] == []


def test_what_only_development_installs_is_needed_by_tools_alone(imports: list[Import]) -> None:
    assert needing_development(imports) == []


def test_every_module_has_a_layer() -> None:
    assert unknown_rooms(ROOT) == []
    assert without_layer(modules_of(ROOT)) == []


def test_no_module_hands_on_what_another_defines() -> None:
    assert handed_on(ROOT) == []


def test_layers_of_an_app_import_one_way(imports: list[Import]) -> None:
    assert [str(found) for found in wrong_inside_apps(imports)] == []


def test_only_views_and_endpoints_answer_requests(imports: list[Import]) -> None:
    assert [str(found) for found in answering_too_low(imports)] == []


def test_no_modules_import_each_other_in_a_circle(imports: list[Import]) -> None:
    assert circles(imports) == []


def test_migrations_import_nothing_of_the_project() -> None:
    assert [str(found) for found in imports_of_migrations(ROOT)] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("matches/views/a.py: from stables import models", "between rooms"),
        ("jobs/tasks.py: import people", "between rooms"),
        ("stables/views/a.py: def f(): import solaris_site.urls", "between rooms"),
        ("people/forms.py: import_module('jobs.runner')", "between rooms"),
        ("matches/urls/a.py: path('', include('stables.urls'))", "between rooms"),
        ("commands/migrated.py: from people import models", "between rooms"),
        ("web/reading.py: from api import fields", "between rooms"),
        ("people/forms.py: from commands import migrated", ""),
        ("rules/core/a.py: import django", "inside rules"),
        ("rules/core/a.py: from ..bots import greedy", "inside rules"),
        ("rules/campaign/a.py: from rules.competition import x", "inside rules"),
        ("rules/wording/a.py: | rules/core/a.py: from rules.wording import a", "inside rules"),
        ("rules/competition/ground/a.py: from rules.competition.state import x", "inside rules"),
        ("rules/competition/formats/a.py: from rules.competition.match import x", "inside rules"),
        ("rules/competition/match.py: from rules.competition.formats import x", ""),
        ("rules/solaris/a.py: from rules.competition import x", "inside rules"),
        ("rules/measuring/a.py: from rules.tools import x", "inside rules"),
        ("rules/challenge/a.py: from rules.core.equipment import x", "inside rules"),
        ("rules/challenge/a.py: from rules.core.refusals import Refused", ""),
        ("rules/scenario/a.py: import rules.bench", "inside rules"),
        ("rules/verify.py: import rules.bots.greedy, rules.core, json", ""),
        ("rules/core/a.py: from rules import RULES_VERSION", ""),
        ("rules/tools/a.py: from scipy.optimize import root", ""),
        ("rules/measuring/a.py: import numpy", "development"),
        ("jobs/tasks.py: def f(): import_module('numpy.linalg')", "development"),
        ("people/forms.py: from rules.tools import a | rules/tools/a.py: import scipy.stats as stats", "development"),
        (
            "rules/bots/a.py: import rules.core.a | rules/core/a.py: | rules/core/__init__.py: import scipy",
            "development",
        ),
        ("rules/odds.py: import json", "without a layer"),
        ("jobs/services.py: | jobs/models.py: from jobs.services import x", "inside apps"),
        ("jobs/services.py: | jobs/tasks.py: from jobs.services import x", ""),
        ("stables/services/market.py: from stables.views import season", "inside apps"),
        ("stables/models/season.py: from stables.presenters import season_rules", "inside apps"),
        ("stables/services/ledger.py: from stables.views.home import home", "inside apps"),
        ("stables/services/ledger.py: def f(): from stables.presenters import desk", "inside apps"),
        ("matches/services/matches.py: from matches.presenters import play", "inside apps"),
        ("stables/views/a.py: from stables.services import market", ""),
        ("stables/market_page.py: import json", "without a layer"),
        ("matches/services/a.py: from django.shortcuts import redirect", "too low"),
        ("matches/presenters/a.py: from rest_framework import serializers", "too low"),
        ("matches/views/a.py: from django.shortcuts import redirect", ""),
        ("web/problems.py: from django.shortcuts import render", ""),
        ("jousting/models.py: import json", "unknown room"),
        ("stables/__init__.py: from stables.views import season", "inside apps"),
        ("stables/api/a.py: from stables.views import season", "inside apps"),
        ("stables/views/a.py: from stables.api import rows", "inside apps"),
        ("stables/services/base/a.py: from stables.services.running import roles", "inside apps"),
        ("stables/services/running/a.py: from stables.services.base import ledger", ""),
        ("stables/models/a.py: import_string('stables.views.season.show')", "inside apps"),
        ("stables/models/a.py: from importlib import import_module as im; im('stables.views')", "inside apps"),
        ("jobs/migrations/0001_a.py: import_string('jobs.models.Job')", "migration"),
        ("stables/services/a.py: from stables.models import Season as Season", "handed on"),
        ("stables/services/a.py: from stables.models import Season; __all__ = ['Season']", "handed on"),
        ("stables/services/a.py: from stables.models import Season as Own; __all__ = ['other']", ""),
        (
            "stables/services/a.py: import stables.services.b | stables/services/b.py: import stables.services.a",
            "circle",
        ),
        ("jobs/migrations/0001_a.py: import jobs.models", "migration"),
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
        "unknown room": unknown_rooms(tmp_path),
        "handed on": handed_on(tmp_path),
        "without a layer": without_layer(modules_of(tmp_path)),
        "circle": circles(found),
        "migration": imports_of_migrations(tmp_path),
        "between rooms": wrong_between_rooms(found),
        "inside rules": wrong_inside_rules(found),
        "development": needing_development(found),
        "inside apps": wrong_inside_apps(found),
        "too low": answering_too_low(found),
    }
    assert [name for name, problems in seen.items() if problems] == ([wrong] if wrong else [])
