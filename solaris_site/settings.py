"""Settings, driven by the environment.

Without any variable the site runs embedded: SQLite and a file-based queue under var/, DEBUG on. As soon as a database
or a secret key is named it is taken for production: DEBUG is off, and what is missing stops the start with a sentence.
"""

import secrets
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from solaris_site.environment import Environment

environment = Environment()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(environment.text("VAR_DIR", str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = environment.boolean("DEBUG", default=not environment.has("DATABASE_URL") and not environment.has("SECRET_KEY"))


def secret_key() -> str:
    """The secret of this installation; under DEBUG one is made once and kept in var/, so that sessions survive."""
    if environment.has("SECRET_KEY"):
        return environment.text("SECRET_KEY")
    if not DEBUG:
        raise ImproperlyConfigured("SECRET_KEY must be set outside DEBUG: a long random text that only the site knows.")
    path = VAR_DIR / "secret_key"
    try:
        with path.open("x", encoding="ascii") as file:
            path.chmod(0o600)
            file.write(secrets.token_urlsafe(48))
    except FileExistsError:
        pass
    return path.read_text(encoding="ascii") or secrets.token_urlsafe(48)


SECRET_KEY = secret_key()
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS", default=("localhost", "127.0.0.1", "[::1]") if DEBUG else ())
if not ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS must name the hosts of the site, separated by commas, outside DEBUG.")
CSRF_TRUSTED_ORIGINS = environment.words("CSRF_TRUSTED_ORIGINS")

# Rooms ---------------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "solaris_site",
    "stables",
    "matches",
    "catalogue",
    "jobs",
    "people",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_celery_beat",
    "django_celery_results",
]

MIDDLEWARE = [
    "solaris_site.middleware.ClientAddressMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "people.middleware.TimeZoneMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "solaris_site.middleware.RefusalMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "solaris_site.urls"
WSGI_APPLICATION = "solaris_site.wsgi.application"
ASGI_APPLICATION = "solaris_site.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Data ----------------------------------------------------------------------------------------------------------------

DATABASES = {"default": environment.database("DATABASE_URL", embedded=VAR_DIR / "solaris.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Jobs and the queue that wakes their workers --------------------------------------------------------------------------

JOB_LEASE_SECONDS = environment.integer("JOB_LEASE_SECONDS", default=60, minimum=1)
JOB_STALE_SECONDS = environment.integer("JOB_STALE_SECONDS", default=15, minimum=1)
JOB_SWEEP_SECONDS = environment.integer("JOB_SWEEP_SECONDS", default=5, minimum=1)
JOB_ATTEMPTS = 5
JOB_WAKE_UPS = True

CELERY_BROKER_URL = environment.text("CELERY_BROKER_URL", default="filesystem://localhost/")
if CELERY_BROKER_URL.startswith("filesystem:"):
    # One host only. The transport does not make its folders; ours never shows a message that is half written.
    CELERY_BROKER_TRANSPORT = "jobs.file_queue:Transport"
    for folder in ("queue", "control"):
        (VAR_DIR / folder).mkdir(exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(VAR_DIR / "queue"),
        "data_folder_out": str(VAR_DIR / "queue"),
        "control_folder": str(VAR_DIR / "control"),
        "polling_interval": 0.1,
    }
elif CELERY_BROKER_URL.startswith(("redis:", "rediss:")):
    # Redis gives a killed worker's message back only after this timeout and a scan; the job lease does not wait for it.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 900,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        # Two sites on one Redis need two prefixes.
        "global_keyprefix": environment.text("CELERY_QUEUE_PREFIX", default="solaris:"),
    }
CELERY_RESULT_BACKEND = "django-db"
CELERY_RESULT_EXTENDED = True
CELERY_RESULT_EXPIRES = 7 * 24 * 3600
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = environment.integer("CELERY_WORKER_PREFETCH_MULTIPLIER", default=4, minimum=1)
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
CELERY_BEAT_SCHEDULE = {
    "jobs.sweep": {
        "task": "jobs.sweep",
        "schedule": float(JOB_SWEEP_SECONDS),
        # A sweep that waited for a worker is worth nothing once the next one is there.
        "options": {"expires": float(JOB_SWEEP_SECONDS)},
    },
}

# People --------------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "people:log_in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
AXES_RESET_ON_SUCCESS = True
# By pair, so that a stranger cannot lock a player out of every place, nor one player a whole household.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "people/locked_out.html"
AXES_HTTP_RESPONSE_CODE = 429
AXES_VERBOSE = False

for _name, _value in environment.email("EMAIL_URL", "django.core.mail.backends.console.EmailBackend").items():
    globals()[_name] = _value
# Where people reach the site: mails are written by workers, which no request tells it.
SITE_URL = environment.text(
    "SITE_URL", default="http://localhost:8000" if DEBUG else f"https://{ALLOWED_HOSTS[0].lstrip('.')}"
).rstrip("/")
DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", default="Solaris Circuit <noreply@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# Language and time ---------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# Files ---------------------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(environment.text("STATIC_ROOT", str(BASE_DIR / "staticfiles")))
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
if DEBUG:
    _static_storage = "django.contrib.staticfiles.storage.StaticFilesStorage"
else:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    _static_storage = "whitenoise.storage.CompressedManifestStaticFilesStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _static_storage},
}

# Safety --------------------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
CSRF_FAILURE_VIEW = "solaris_site.views.csrf_failure"
X_FRAME_OPTIONS = "DENY"
# How many proxies stand in front and append to X-Forwarded-For; 0: the address of the connection is the client's.
PROXY_COUNT = environment.integer("PROXY_COUNT", default=0)
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEBUG
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
if not DEBUG:
    # The server in front ends TLS and says so with this header; it must strip the header from what clients send.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = environment.boolean("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
    SECURE_HSTS_SECONDS = environment.integer("SECURE_HSTS_SECONDS", default=3600)

# Log -----------------------------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname:<7} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "jobs": {"level": environment.text("LOG_LEVEL", default="INFO")},
        "django": {"level": environment.text("LOG_LEVEL", default="INFO")},
        "celery": {"level": "WARNING"},
    },
}
