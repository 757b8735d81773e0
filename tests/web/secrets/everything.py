"""Every secret, as everybody else, at every address for each thing of the season, and wherever its pages lead.

`make secrets` runs this; pytest does not collect it by itself, as it takes long.
"""

from __future__ import annotations

import pytest

from tests.worlds import Worlds

from .comparing import differing_everywhere, tables_apart
from .kept import SECRETS
from .world import ROLES

pytestmark = pytest.mark.django_db
ONCE = [name for name, secret in SECRETS.items() if secret.shown_once]


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("role", ROLES)
def test_nobody_else_can_tell_secrets_apart(worlds: Worlds, name: str, role: str) -> None:
    found = differing_everywhere(worlds, name, role)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ONCE)
def test_what_is_shown_once_not_even_its_owner_reads_again(worlds: Worlds, name: str) -> None:
    assert tables_apart(worlds, name), "else nothing was compared"
    found = differing_everywhere(worlds, name, "player")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", [name for name in SECRETS if name not in ONCE])
def test_the_player_can_tell_them_apart(worlds: Worlds, name: str) -> None:
    assert differing_everywhere(worlds, name, "player") != [], "else nothing was compared"
