"""Answers that are no errors of the site stay out of its error log: not ready yet, a host that it does not have."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.test import Client

from solaris_site import readiness

pytestmark = pytest.mark.django_db


def test_not_being_ready_is_answered_and_is_no_error(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(readiness, "look", lambda: {"beat": False})
    assert client.get("/readyz").status_code == 503
    records = [(record.name, record.levelname) for record in caplog.records]
    assert records == [("solaris_site.requests", "INFO")]


def test_other_errors_are_errors(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks() -> Any:
        raise ValueError("a bug")

    monkeypatch.setattr(readiness, "look", breaks)
    client.raise_request_exception = False
    assert client.get("/readyz").status_code == 500
    assert ("django.request", logging.ERROR) in [(record.name, record.levelno) for record in caplog.records]


@pytest.mark.parametrize("host", ["bogus.example", "bo gus"])
def test_a_host_that_is_none_of_the_sites_is_a_warning_without_traceback(
    client: Client, settings: Any, caplog: pytest.LogCaptureFixture, host: str
) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    assert client.get("/healthz", HTTP_HOST=host).status_code in (200, 400)
    assert client.get("/people/log-in", HTTP_HOST=host).status_code == 400
    records = [record for record in caplog.records if record.name == "django.security.DisallowedHost"]
    assert records
    assert not [record for record in caplog.records if record.levelno > logging.WARNING]
    assert not [record for record in records if record.exc_info or record.exc_text]
    assert "Traceback" not in caplog.text
