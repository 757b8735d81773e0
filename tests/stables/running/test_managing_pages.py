"""The pages of the organisers' hand: one form for each stable, a link that is confirmed, the old owner's open pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from stables.models import HandOver, Passing, Season, Stable
from stables.services.running import passing
from tests.stables.duels import Club, in_zone
from tests.stables.season_worlds import Enters, inside

pytestmark = [pytest.mark.django_db, pytest.mark.database]
