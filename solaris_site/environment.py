"""Typed readers for environment variables. Each refuses a value that it does not understand and names the variable."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})
PUSH_KEY = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
PACE = re.compile(r"[1-9][0-9]{0,8}/(s|min|hour|day)")


class Environment:
    """A reader of settings from a mapping of environment variables. A blank value counts as absent.

    Every reader raises ImproperlyConfigured for a value that it does not understand.
    """

    def __init__(self, variables: Mapping[str, str] | None = None) -> None:
        self.variables = os.environ if variables is None else variables

    def has(self, name: str) -> bool:
        return bool(self.variables.get(name, "").strip())

    def text(self, name: str, default: str = "") -> str:
        return self.variables.get(name, "").strip() or default

    def boolean(self, name: str, default: bool) -> bool:
        word = self.text(name).lower()
        if not word:
            return default
        if word in TRUE_WORDS:
            return True
        if word in FALSE_WORDS:
            return False
        raise ImproperlyConfigured(f"{name} must be one of 1, true, yes, on, 0, false, no, off; it is {word!r}.")

    def integer(self, name: str, default: int, minimum: int = 0) -> int:
        word = self.text(name)
        if not word:
            return default
        try:
            number = int(word)
        except ValueError:
            raise ImproperlyConfigured(f"{name} must be a whole number; it is {word!r}.") from None
        if number < minimum:
            raise ImproperlyConfigured(f"{name} must be at least {minimum}; it is {number}.")
        return number

    def choices(self, name: str, known: tuple[str, ...]) -> tuple[str, ...]:
        """Return the words of the value, which must be among the `known` ones; all of these when it is blank."""
        found = tuple(self.words(name, default=known))
        if not set(found) <= set(known):
            raise ImproperlyConfigured(f"{name} must hold some of {', '.join(known)}; it is {self.text(name)!r}.")
        return found

    def word(self, name: str, known: tuple[str, ...], default: str) -> str:
        """Return the value in lower case, which must be one of the `known` words."""
        found = self.text(name, default).lower()
        if found not in known:
            raise ImproperlyConfigured(f"{name} must be one of {', '.join(known)}; it is {found!r}.")
        return found

    def words(self, name: str, default: tuple[str, ...] = ()) -> list[str]:
        """Return the words of a value that separates them by commas; `default` when there is none."""
        found = [word.strip() for word in self.text(name).split(",") if word.strip()]
        return found or list(default)

    def pace(self, name: str, default: str) -> str:
        """Return a rate such as `300/min` (s, min, hour, day), or "" for no limit (`off`, `no`, `0` or `false`)."""
        word = self.text(name, default)
        if word.lower() in FALSE_WORDS:
            return ""
        if not PACE.fullmatch(word):
            raise ImproperlyConfigured(f"{name} must look like 300/min (s, min, hour, day), or be off; it is {word!r}.")
        return word

    def push(self, key: str, contact: str) -> tuple[str, str]:
        """Return the private key of messages to browsers and the operator's address, ("", "") without the key.

        `python manage.py push_key` makes a key: 32 bytes as base64url.
        """
        if not self.has(key):
            return "", ""
        if not PUSH_KEY.fullmatch(self.text(key)):
            raise ImproperlyConfigured(f"{key} must be a key that `python manage.py push_key` makes.")
        if not self.text(contact).startswith(("mailto:", "https://")):
            raise ImproperlyConfigured(f"{contact} must begin with mailto: or https://: push services ask for it.")
        return self.text(key), self.text(contact)

    def database(self, name: str, embedded: Path) -> dict[str, Any]:
        """Return a Django database entry from `postgres://user:password@host:port/name` or `sqlite:///path`.

        Without the variable it is SQLite in the file `embedded`.
        """
        if not self.has(name):
            return sqlite(embedded)
        parts = urlsplit(self.text(name))
        path = unquote(parts.path)
        if parts.scheme == "sqlite":
            if parts.netloc or len(path) < 2:
                raise ImproperlyConfigured(f"{name} must look like sqlite:///relative.sqlite3 or sqlite:////absolute.")
            return sqlite(Path(path[1:]))
        if parts.scheme in {"postgres", "postgresql"}:
            if len(path) < 2:
                raise ImproperlyConfigured(f"{name} names no database: postgres://user:password@host:5432/name.")
            return {
                "ENGINE": "django.db.backends.postgresql",
                "NAME": path[1:],
                "USER": unquote(parts.username or ""),
                "PASSWORD": unquote(parts.password or ""),
                "HOST": parts.hostname or "",
                "PORT": str(self._port(name, parts) or ""),
                "CONN_MAX_AGE": 60,
                "CONN_HEALTH_CHECKS": True,
                "OPTIONS": dict(parse_qsl(parts.query)),
            }
        raise ImproperlyConfigured(f"{name} must begin with postgres:// or sqlite:///, not with {parts.scheme!r}.")

    def cache(self, name: str) -> dict[str, Any]:
        """Return a Django cache entry from `redis://host:port/number` or `rediss://…`. Without the variable, and while
        the server is away, each process has a cache of its own.
        """
        if not self.has(name):
            return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
        if not self.text(name).startswith(("redis://", "rediss://")):
            raise ImproperlyConfigured(f"{name} must begin with redis:// or rediss://.")
        return {
            "BACKEND": "solaris_site.shared_cache.SharedCache",
            "LOCATION": self.text(name),
            "KEY_PREFIX": "solaris",
        }

    def results(self, name: str, embedded: str) -> str:
        """Return the address at which Celery keeps results: `redis://host:port/number` or `rediss://…`, or `embedded`
        without the variable.
        """
        address = self.text(name, embedded)
        if address != embedded and not address.startswith(("redis://", "rediss://")):
            raise ImproperlyConfigured(f"{name} must begin with redis:// or rediss://, or not be set.")
        return address

    def email(self, name: str, is_printed: bool) -> dict[str, Any]:
        """Return the e-mail settings from `smtp://user:password@host:port`, `smtp+tls://`, `smtp+ssl://` or
        `console://`.

        Without the variable mails are printed if `is_printed`, and dropped otherwise: they hold links that open
        accounts, and a log is read by others.
        """
        if not self.has(name):
            return {"EMAIL_BACKEND": f"django.core.mail.backends.{'console' if is_printed else 'dummy'}.EmailBackend"}
        parts = urlsplit(self.text(name))
        if parts.scheme == "console":
            return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
        if parts.scheme not in {"smtp", "smtp+tls", "smtp+ssl"} or not parts.hostname:
            raise ImproperlyConfigured(f"{name} must be console:// or smtp://, smtp+tls:// or smtp+ssl:// with a host.")
        default_port = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}[parts.scheme]
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "EMAIL_HOST": parts.hostname,
            "EMAIL_PORT": self._port(name, parts) or default_port,
            "EMAIL_HOST_USER": unquote(parts.username or ""),
            "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
            "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
            "EMAIL_USE_SSL": parts.scheme == "smtp+ssl",
            "EMAIL_TIMEOUT": 15,
        }

    def _port(self, name: str, parts: Any) -> int | None:
        try:
            port: int | None = parts.port
        except ValueError:
            raise ImproperlyConfigured(f"{name} has a port that is no number between 0 and 65535.") from None
        return port


def sqlite(path: Path) -> dict[str, Any]:
    """Return a SQLite database entry that many processes can write to.

    IMMEDIATE takes the write lock at the start of a transaction: a deferred one that reads first and then writes fails
    at once under WAL when another has written in between, whatever the timeout. Connections stay open for a minute:
    under WAL the process that closes the last connection cleans up, and every process that opens one at that moment
    waits for it, 40 ms a request.
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
        },
    }
