"""Every secret, as everybody else, at every address for each thing of the season, and wherever its pages lead.

`make secrets` runs this; pytest does not collect it by itself, as it takes long.
"""

from __future__ import annotations

from operator import itemgetter

import pytest

from tests.worlds import Worlds

from .comparing import differing_everywhere, tables_apart
from .kept import SECRETS
from .world import ROLES, STAND_IN

pytestmark = pytest.mark.django_db
# One reader after the other: what a process knows of a reader, it need not read for the next secret.
OTHERS = [(name, role) for role in ("player", *ROLES) for name, secret in SECRETS.items() if role in secret.others]
KEEPERS = [(name, secret.keepers[0]) for name, secret in SECRETS.items() if secret.keepers]
KEEPERS += [(name, STAND_IN) for name, secret in SECRETS.items() if STAND_IN in secret.keepers]
KEEPERS.sort(key=itemgetter(1))


@pytest.mark.parametrize(("name", "role"), OTHERS)
def test_nobody_else_can_tell_secrets_apart(worlds: Worlds, name: str, role: str) -> None:
    found = differing_everywhere(worlds, name, role)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", SECRETS)
def test_the_worlds_differ_in_each_part_of_a_secret(worlds: Worlds, name: str) -> None:
    apart = tables_apart(worlds, name)
    assert apart, "else nothing was compared"
    assert {model._meta.db_table for model in SECRETS[name].rows} <= apart


@pytest.mark.parametrize(("name", "role"), KEEPERS)
def test_who_keeps_a_secret_can_tell_it_apart(worlds: Worlds, name: str, role: str) -> None:
    assert differing_everywhere(worlds, name, role) != [], "else nothing was compared"
