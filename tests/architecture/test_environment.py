"""The settings' readers: what they understand, and that they refuse the rest by the variable's name."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from solaris_site.environment import Environment
from solaris_site.queues import default_address

ROOT = Path(__file__).resolve().parents[2]
EMBEDDED = Path("var/solaris.sqlite3")


@pytest.mark.parametrize(("word", "value"), [("1", True), ("Yes", True), ("off", False), ("", True), ("  ", True)])
def test_booleans(word: str, value: bool) -> None:
    assert Environment({"DEBUG": word}).boolean("DEBUG", default=True) is value


@pytest.mark.parametrize(("word", "value"), [("", "300/min"), ("9/s", "9/s"), ("off", ""), ("No", "")])
def test_paces(word: str, value: str) -> None:
    assert Environment({"API_STRANGERS": word}).pace("API_STRANGERS", default="300/min") == value


@pytest.mark.parametrize("word", ["often", "0/min", "300", "300/year", "-1/s", "300/minute"])
def test_a_pace_that_cannot_be_is_refused(word: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="API_STRANGERS"):
        Environment({"API_STRANGERS": word}).pace("API_STRANGERS", default="300/min")


def test_results_are_kept_in_redis_or_where_the_site_keeps_them() -> None:
    assert Environment({}).results("CELERY_RESULT_BACKEND", embedded="django-db") == "django-db"
    address = "rediss://:secret@redis.example:6380/2"
    assert Environment({"CELERY_RESULT_BACKEND": address}).results("CELERY_RESULT_BACKEND", "django-db") == address
    with pytest.raises(ImproperlyConfigured, match="CELERY_RESULT_BACKEND"):
        Environment({"CELERY_RESULT_BACKEND": "amqp://localhost//"}).results("CELERY_RESULT_BACKEND", "django-db")


def test_words() -> None:
    assert Environment({"ALLOWED_HOSTS": "a.example, b.example,"}).words("ALLOWED_HOSTS") == ["a.example", "b.example"]
    assert Environment({}).words("ALLOWED_HOSTS", default=("localhost",)) == ["localhost"]


def test_a_postgresql_database() -> None:
    url = "postgres://solaris:p%40ss@db.example:5433/circuit?sslmode=require"
    database = Environment({"DATABASE_URL": url}).database("DATABASE_URL", EMBEDDED)
    named = {key: database[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}
    assert named == {
        "NAME": "circuit",
        "USER": "solaris",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize(
    ("url", "name"), [("", "var/solaris.sqlite3"), ("sqlite:///a b.db", "a b.db"), ("sqlite:////srv/a.db", "/srv/a.db")]
)
def test_a_sqlite_database_takes_its_lock_at_once(url: str, name: str) -> None:
    database = Environment({"DATABASE_URL": url}).database("DATABASE_URL", EMBEDDED)
    assert database["NAME"] == name
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_mail() -> None:
    mail = Environment({"EMAIL_URL": "smtp+tls://me:secret@mail.example"}).email("EMAIL_URL", True)
    assert (mail["EMAIL_HOST"], mail["EMAIL_PORT"], mail["EMAIL_USE_TLS"]) == ("mail.example", 587, True)
    assert Environment({}).email("EMAIL_URL", True) == {
        "EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"
    }


@pytest.mark.parametrize(
    ("reader", "word"),
    [
        ("boolean", "maybe"),
        ("integer", "ten"),
        ("integer", "-1"),
        ("database", "mysql://localhost/x"),
        ("database", "postgres://localhost"),
        ("database", "postgres://localhost:port/x"),
        ("database", "sqlite://x.db"),
        ("email", "mail.example"),
        ("email", "smtp://"),
    ],
)
def test_what_is_not_understood_stops_with_the_name_of_the_variable(reader: str, word: str) -> None:
    arguments = {"boolean": (True,), "integer": (1,), "database": (EMBEDDED,), "email": (True,)}[reader]
    with pytest.raises(ImproperlyConfigured, match="THE_VARIABLE"):
        getattr(Environment({"THE_VARIABLE": word}), reader)("THE_VARIABLE", *arguments)


KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"


def test_messages_to_browsers_need_a_key_and_an_address_of_the_operator() -> None:
    names, contact = ("VAPID_PRIVATE_KEY", "VAPID_CONTACT"), "mailto:operator@example.org"
    assert Environment({}).push(*names) == Environment({names[1]: contact}).push(*names) == ("", "")
    assert Environment({names[0]: KEY, names[1]: contact}).push(*names) == (KEY, contact)
    for key, address, named in ((KEY[:-1], contact, names[0]), (KEY, "", names[1]), (KEY, "me@example.org", names[1])):
        with pytest.raises(ImproperlyConfigured, match=named):
            Environment({names[0]: key, names[1]: address}).push(*names)


def settings_values(tmp_path: Path, expression: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The settings as a new process sees them with these variables."""
    clean = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    environment = clean | {"VAR_DIR": str(tmp_path), "STATIC_ROOT": str(tmp_path / "static")} | variables
    command = [sys.executable, "-c", f"from solaris_site import settings as s; print({expression})"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_without_any_variable_the_site_runs_embedded_and_keeps_its_secret(tmp_path: Path) -> None:
    expression = "s.DEBUG, s.CELERY_BROKER_URL.split(':')[0], s.SECRET_KEY"
    first, second = (settings_values(tmp_path, expression).stdout for _ in range(2))
    assert first.startswith("True filesystem ")
    assert first == second
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in tmp_path.iterdir()} == {
        "queue": "0o700",
        "control": "0o700",
        "secret_key": "0o600",
        "solaris.sqlite3": "0o600",
    }


@pytest.mark.parametrize(
    ("variables", "missing"),
    [
        ({"DATABASE_URL": "sqlite:///x.db"}, "SECRET_KEY"),
        ({"SECRET_KEY": "a secret"}, "ALLOWED_HOSTS"),
        ({"DEBUG": "0"}, "SECRET_KEY"),
    ],
)
def test_production_does_not_start_without_what_it_needs(
    tmp_path: Path, variables: dict[str, str], missing: str
) -> None:
    result = settings_values(tmp_path, "s.DEBUG", **variables)
    assert result.returncode != 0
    assert missing in result.stderr


def test_production_is_careful_by_default(tmp_path: Path) -> None:
    expression = "s.DEBUG, s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.EMAIL_BACKEND"
    result = settings_values(tmp_path, expression, SECRET_KEY="a secret", ALLOWED_HOSTS="solaris.example")
    no_mails = "django.core.mail.backends.dummy.EmailBackend"
    assert result.stdout.strip() == f"False True True True {no_mails}", result.stderr


def test_a_laptop_outside_debug_can_do_without_a_certificate(tmp_path: Path) -> None:
    expression = (
        "s.DEBUG, s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SITE_URL, "
        "[name for name in dir(s) if name in ('SECURE_SSL_REDIRECT', 'SECURE_HSTS_SECONDS', 'SECURE_PROXY_SSL_HEADER')]"
    )
    result = settings_values(tmp_path, expression, SECRET_KEY="a secret", ALLOWED_HOSTS="192.0.2.10", PLAIN_HTTP="1")
    assert result.stdout.strip() == "False False False http://192.0.2.10 []", result.stderr


def test_a_site_without_a_queue_sends_no_messages_and_needs_no_folders(tmp_path: Path) -> None:
    """It is the default of a system that cannot lock files."""
    asked = "s.HAS_FILE_LOCKS, s.HAS_QUEUE, s.JOB_WAKE_UPS"
    assert settings_values(tmp_path, asked).stdout.strip() == "True True True"
    named = settings_values(tmp_path / "named", asked, CELERY_BROKER_URL="memory://localhost/")
    assert named.stdout.strip() == "True False False", named.stderr
    assert not (tmp_path / "named" / "queue").exists()
    assert [default_address(locks).partition(":")[0] for locks in (True, False)] == ["filesystem", "memory"]
