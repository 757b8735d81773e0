"""Which lines go into the log, and who writes them."""

from __future__ import annotations

from typing import Any


def logging_of(form: str, level: str) -> dict[str, Any]:
    """Return the setting LOGGING: lines as `form` ("json" or "plain"), the site's and the jobs' own from `level` on."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "surroundings": {"()": "solaris_site.log_records.Surroundings"},
            "expected_answers": {"()": "solaris_site.log_filters.ExpectedAnswers"},
            "of_strangers": {"()": "solaris_site.log_filters.OfStrangers"},
        },
        "formatters": {
            "json": {"()": "solaris_site.log_records.OneObject"},
            "plain": {"()": "solaris_site.log_records.OneLine"},
        },
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": form, "filters": ["surroundings"]},
        },
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {
            "jobs": {"level": level},
            "solaris_site": {"level": level},
            "django": {"level": level},
            "django.request": {"filters": ["expected_answers"]},
            "django.security.DisallowedHost": {"filters": ["of_strangers"]},
            # The development server logs whole addresses, with keys; our lines say the same without keys.
            "django.server": {"handlers": ["console"], "level": "CRITICAL", "propagate": False},
            # Gunicorn brings its own handler; with ours its lines look like all others.
            "gunicorn.error": {"handlers": ["console"], "level": "INFO", "propagate": False},
            # It warns of each request that waits for a thread for a moment.
            "waitress.queue": {"level": "ERROR"},
            "celery": {"level": "WARNING"},
            # Its warnings contain the whole address, and a webhook's address is secret. We log the outcome of each try
            # ourselves.
            "urllib3": {"level": "CRITICAL", "propagate": False},
        },
    }
