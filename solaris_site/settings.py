"""Settings, driven by the environment.

Without any variable the site runs embedded: SQLite and a file-based queue under var/, DEBUG on. A variable for database
or secret key makes it a production site: DEBUG is off, and a missing variable stops the start with a sentence.
"""

import secrets
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu.entity import Exchange, Queue

from solaris_site.environment import Environment
from solaris_site.logs import logging_of
from solaris_site.private_files import make_private_file, make_private_folder
from solaris_site.queues import OF_FILES, default_address, transport_options
from web.languages import offer

environment = Environment()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(environment.text("VAR_DIR", str(BASE_DIR / "var")))
make_private_folder(VAR_DIR)

IS_EMBEDDED = not environment.has("DATABASE_URL") and not environment.has("SECRET_KEY")
DEBUG = environment.boolean("DEBUG", default=IS_EMBEDDED)


def secret_key() -> str:
    """Return SECRET_KEY, or without it under DEBUG a key that is made once and kept in var/, so that sessions survive a
    restart. Raises ImproperlyConfigured when it is missing outside DEBUG.
    """
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
# A laptop at a table has no certificate: there pages, forms and cookies go over http:// outside DEBUG too.
PLAIN_HTTP = environment.boolean("PLAIN_HTTP", default=DEBUG)

# Rooms ---------------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "solaris_site",
    "stables",
    "ladder",
    "challenge",
    "matches",
    "catalogue",
    "studies",
    "help",
    "jobs",
    "people",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",
    "axes",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "django_celery_beat",
    "django_celery_results",
]

MIDDLEWARE = [
    "solaris_site.observing.ObservingMiddleware",
    "solaris_site.middleware.ServerErrorMiddleware",
    "solaris_site.middleware.ClientAddressMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "solaris_site.middleware.PermissionsPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "solaris_site.middleware.PagesMiddleware",
    "csp.middleware.CSPMiddleware",
    "solaris_site.middleware.OwnAnswersMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "people.middleware.LanguageMiddleware",
    # No middleware above reads a form or a query.
    "solaris_site.middleware.CharsetMiddleware",
    "solaris_site.middleware.SlashMiddleware",
    "solaris_site.middleware.FormMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "api.tokens.TokenMiddleware",
    "people.middleware.TimeZoneMiddleware",
    "people.middleware.ActsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "solaris_site.games.GamesMiddleware",
    "stables.middleware.SeasonVisibilityMiddleware",
    "stables.middleware.GuestMiddleware",
    "solaris_site.middleware.RefusalMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "solaris_site.urls"
WSGI_APPLICATION = "solaris_site.wsgi.application"
ASGI_APPLICATION = "solaris_site.asgi.application"

TEMPLATE_LOADERS = ["web.template_loading.Loader", "django.template.loaders.app_directories.Loader"]
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("django.template.loaders.cached.Loader", TEMPLATE_LOADERS)],
            "libraries": {"parts": "web.templatetags.parts"},
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "solaris_site.games.of_request",
            ],
        },
    },
]

# Our templates in templates/django/forms take precedence over Django's.
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# Data ----------------------------------------------------------------------------------------------------------------

DATABASES = {"default": environment.database("DATABASE_URL", embedded=VAR_DIR / "solaris.sqlite3")}
if DATABASES["default"]["ENGINE"].endswith(".sqlite3"):
    make_private_file(Path(DATABASES["default"]["NAME"]))
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The cache holds findings and the rates of programs for a while. Several processes share it through Redis.
CACHES: dict[str, Any] = {"default": environment.cache("CACHE_URL")}

# Jobs and the queue that notifies their workers -----------------------------------------------------------------------

JOB_LEASE_SECONDS = environment.integer("JOB_LEASE_SECONDS", default=60, minimum=1)
JOB_STALE_SECONDS = environment.integer("JOB_STALE_SECONDS", default=15, minimum=1)
JOB_SWEEP_SECONDS = environment.integer("JOB_SWEEP_SECONDS", default=5, minimum=1)
JOB_ATTEMPTS = 5

# Whether the workers count play-outs for forecasts. Each match takes a processor some seconds, after all other work.
FORECASTS = environment.boolean("FORECASTS", default=True)
# Whether the workers look for the puzzles of this day and the next.
PUZZLES = environment.boolean("PUZZLES", default=True)

# The queue of files needs the locks of POSIX. With memory:// there is no queue: `manage.py work` looks for due jobs.
HAS_FILE_LOCKS = find_spec("fcntl") is not None
CELERY_BROKER_URL = environment.text("CELERY_BROKER_URL", default=default_address(HAS_FILE_LOCKS))
HAS_QUEUE = not CELERY_BROKER_URL.startswith("memory:")
JOB_WAKE_UPS = HAS_QUEUE
# People wait for the message of a job, and the tick sends lost ones again.
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_TRANSPORT_OPTIONS = transport_options(
    CELERY_BROKER_URL, VAR_DIR, CELERY_BROKER_CONNECTION_TIMEOUT, environment.text("CELERY_QUEUE_PREFIX", "solaris:")
)
if CELERY_BROKER_URL.startswith("filesystem:"):
    # For one host only. The transport does not make its folders. Our version never shows a half-written message.
    CELERY_BROKER_TRANSPORT = OF_FILES
    for folder in ("queue", "control"):
        make_private_folder(VAR_DIR / folder)
# The parts of studies wait in a queue of their own, so that no long study blocks the site's own jobs.
STUDY_QUEUE = "studies"
if not CELERY_BROKER_URL.startswith("filesystem:"):
    if CELERY_BROKER_URL.startswith(("amqp:", "amqps:", "pyamqp:")):
        # Here the prefix is part of the names, also of the exchange that asks whether workers are there.
        _prefix = environment.text("CELERY_QUEUE_PREFIX")
        STUDY_QUEUE = f"{_prefix}studies"
        CELERY_TASK_DEFAULT_QUEUE = CELERY_CONTROL_EXCHANGE = f"{_prefix}celery"
        # Events go by topics and need an exchange with a name of its own: RabbitMQ refuses one name for both kinds.
        CELERY_EVENT_EXCHANGE = f"{_prefix}celeryev"
    else:
        CELERY_TASK_DEFAULT_QUEUE = "celery"
    CELERY_TASK_QUEUES = [
        Queue(name, Exchange(name), routing_key=name) for name in (CELERY_TASK_DEFAULT_QUEUE, STUDY_QUEUE)
    ]
CELERY_TASK_ROUTES = {"studies.*": {"queue": STUDY_QUEUE}}
# Parts of a study are sent again after a silence of this many seconds, and of at least three times the longest pause
# between two answers.
STUDY_PATIENCE_SECONDS = environment.integer("STUDY_PATIENCE_SECONDS", default=20, minimum=1)
# A running study waits this many seconds longer when there is no worker at all, because one may be starting.
STUDY_ABSENCE_SECONDS = environment.integer("STUDY_ABSENCE_SECONDS", default=120, minimum=0)
# Every worker sees results in the database, but only Redis can say when all parts of a study are there.
CELERY_RESULT_BACKEND = environment.results("CELERY_RESULT_BACKEND", embedded="django-db")
CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"global_keyprefix": environment.text("CELERY_QUEUE_PREFIX", "solaris:")}
CELERY_RESULT_EXTENDED = True
CELERY_RESULT_EXPIRES = 7 * 24 * 3600
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = environment.integer("CELERY_WORKER_PREFETCH_MULTIPLIER", default=4, minimum=1)
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
# Beat stores the time of its last tick with the first tick and then after this many; solaris_site.readiness reads it.
CELERY_BEAT_SYNC_EVERY = 6
CELERY_BEAT_SCHEDULER = "jobs.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "jobs.sweep": {
        "task": "jobs.sweep",
        "schedule": float(JOB_SWEEP_SECONDS),
        # A tick that still waits for a worker is worthless when the next one comes.
        "options": {"expires": float(JOB_SWEEP_SECONDS)},
    },
}

# People --------------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = [
    "people.services.log_ins.PlaceBackend",
    "axes.backends.AxesStandaloneBackend",
    "people.services.log_ins.AccountBackend",
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
# Lock pairs of name and place: no stranger locks a player out everywhere, and no player locks out a household.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "web.places.client_place"
AXES_DISABLE_ACCESS_LOG = True
AXES_LOCKOUT_TEMPLATE = "people/locked_out.html"
AXES_HTTP_RESPONSE_CODE = 429
AXES_VERBOSE = False

for _name, _value in environment.email("EMAIL_URL", is_printed=DEBUG).items():
    globals()[_name] = _value
# The address of the site for mails: workers write them, and no request tells a worker the address.
_own = f"{'http' if PLAIN_HTTP else 'https'}://{ALLOWED_HOSTS[0].lstrip('.')}"
SITE_URL = environment.text("SITE_URL", default="http://localhost:8000" if DEBUG else _own).rstrip("/")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = environment.text("DEFAULT_FROM_EMAIL", "Solaris Circuit <noreply@localhost>")

# The games that are played here (solaris_site.games); all of them without it.
GAMES = environment.choices("GAMES", known=("solaris", "challenge"))
# The folder to which the document of a Challenge goes after every closed turn; none without it.
CHALLENGE_COPY_TO = environment.text("CHALLENGE_COPY_TO")

# A folder of the operator with the Markdown of their imprint, privacy and contact pages (web.operator_pages).
OPERATOR_PAGES = environment.text("OPERATOR_PAGES")
# Messages to browsers are signed with this key; without one there are none. Contact is the operator's address for the
# push services of browsers.
PUSH_PRIVATE_KEY, PUSH_CONTACT = environment.push("VAPID_PRIVATE_KEY", "VAPID_CONTACT")

# The interface for programs ------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.tokens.SiteAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["api.access.MayAsk"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_RENDERER_CLASSES": ["api.rendering.BareRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.reading.SoundJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.problems.answer_exception",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
# How often one account may ask, and one address without an account. An empty text means no limit.
API_RATES = {
    "reads": environment.pace("API_READS", default="1200/min"),
    "writes": environment.pace("API_WRITES", default="600/min"),
    "strangers": environment.pace("API_STRANGERS", default="300/min"),
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Solaris Circuit",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["api.description.tidy"],
}

# Matches of visitors without an account -------------------------------------------------------------------------------

# How many they may begin or enter within an hour: from one network address, and all of them together.
GUEST_MATCHES = {
    "place": environment.integer("GUEST_MATCHES_OF_A_PLACE", default=30, minimum=1),
    "all": environment.integer("GUEST_MATCHES_IN_ALL", default=600, minimum=1),
}

# What seasons post to addresses outside -----------------------------------------------------------------------------

# Private addresses (this host, its network) and http:// are allowed only when the operator says so.
WEBHOOKS_PRIVATE = environment.boolean("WEBHOOKS_PRIVATE", default=False)
WEBHOOKS_HTTP = environment.boolean("WEBHOOKS_HTTP", default=WEBHOOKS_PRIVATE)

# Language and time ---------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
# All that the project knows; web.languages.offer says which of them people can choose.
LANGUAGES = [(language.code, language.name) for language in offer.known().values()]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = "solaris_site.formats"  # How dates are written, a module for each language.
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

# What people send -----------------------------------------------------------------------------------------------------

# A file of a catalogue may have 20 MB; a photo has a smaller limit of its own (web.photos).
LARGEST_REQUEST = 24 * 1024 * 1024
FILE_UPLOAD_HANDLERS = [
    "solaris_site.uploads.LimitedRequest",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
# Whole photos stay in memory, so that the camera's notes in them never reach the disk.
FILE_UPLOAD_MAX_MEMORY_SIZE = 9 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
DATA_UPLOAD_MAX_NUMBER_FILES = 10

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
# The number of proxies in front that append to X-Forwarded-For; with 0 the address of the connection is the client's.
PROXY_COUNT = environment.integer("PROXY_COUNT", default=0)
SECURE_REFERRER_POLICY, SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin", None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not PLAIN_HTTP
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
if not PLAIN_HTTP:
    # The server in front ends TLS and says so with this header. It must remove the header from clients' requests.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = environment.boolean("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
    SECURE_HSTS_SECONDS = environment.integer("SECURE_HSTS_SECONDS", default=3600)

# Watching it run -----------------------------------------------------------------------------------------------------

# A client that sends this token may read /metrics; without one, only programs on the machine of an embedded site.
METRICS_TOKEN = environment.text("METRICS_TOKEN")
# The folder in which several web processes add up their counts; prometheus_client reads the variable, too.
if environment.has("PROMETHEUS_MULTIPROC_DIR"):
    Path(environment.text("PROMETHEUS_MULTIPROC_DIR")).mkdir(parents=True, exist_ok=True)

LOG_FORMAT = environment.word("LOG_FORMAT", ("json", "plain"), default="plain" if DEBUG else "json")
LOG_LEVEL = environment.text("LOG_LEVEL", default="INFO")
LOGGING = logging_of(LOG_FORMAT, LOG_LEVEL)
