"""Which news go out by a webhook, and what they tell."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.django_db, pytest.mark.database]
