"""Statements of long work are kept for those who capture them, and for nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs.models import Job
from jobs.statements import without_kept_statements

pytestmark = pytest.mark.database


@pytest.mark.django_db
def test_debug_keeps_statements_outside_only(settings: Any) -> None:
    settings.DEBUG = True
    connection.queries_log.clear()
    with without_kept_statements():
        Job.objects.count()
        assert not connection.queries_log
    Job.objects.count()
    assert len(connection.queries_log) == 1


@pytest.mark.django_db
def test_who_captures_statements_gets_them_inside_too() -> None:
    with without_kept_statements(), CaptureQueriesContext(connection) as captured:
        Job.objects.count()
    assert len(captured) == 1
