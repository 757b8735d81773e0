"""Every secret, as everybody else, at every address for each thing of the season, and wherever its pages lead.

`make secrets` runs this; pytest does not collect it by itself, as it takes long.
"""

from __future__ import annotations

import pytest

from tests.worlds import Worlds

from .comparing import differing_everywhere
from .kept import SECRETS
from .world import ROLES

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("role", ROLES)
def test_nobody_else_can_tell_secrets_apart(worlds: Worlds, name: str, role: str) -> None:
    found = differing_everywhere(worlds, name, role)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", SECRETS)
def test_the_player_can_tell_them_apart(worlds: Worlds, name: str) -> None:
    assert differing_everywhere(worlds, name, "player") != [], "else nothing was compared"
