"""A duel that two people play with programs."""

from __future__ import annotations

import pytest

from matches.models import Match
from matches.services.answering import Seat
from matches.services.beginning.demonstration import demonstration_setup
from matches.services.matches import create_match
from people.models import User
from tests.matches.conftest import SEED
from tests.programs.askers import PEOPLE


@pytest.fixture
def duel(db: None) -> Match:
    people = {side: User.objects.create_user(name, f"{name}@x.org", "-") for side, name in PEOPLE.items()}
    return create_match(demonstration_setup(), SEED, None, [Seat(side, user.pk) for side, user in people.items()])
