"""What makes the site an app that can be installed: its manifest, and the worker that shows messages."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

DARK, PAPER = "#12161c", "#f4f1e9"
"""The masthead and the paper of static/css/tokens.css."""
ICONS = (
    ("img/mark.svg", "any", "image/svg+xml", "any"),
    ("img/icon-192.png", "192x192", "image/png", "any"),
    ("img/icon-512.png", "512x512", "image/png", "any"),
    ("img/icon-maskable-512.png", "512x512", "image/png", "maskable"),
)
"""File, sizes, type and purpose of each; `python -m tests.tools.icons` draws them from the first."""


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Describe the site as an app, in the reader's language."""
    facts = {
        "id": "/",
        "name": "Solaris Circuit",
        "short_name": "Solaris",
        "description": gettext("Campaigns and stables for MechWarrior: Solaris VII"),
        "lang": get_language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": DARK,
        "background_color": PAPER,
        "icons": [
            {"src": static(file), "sizes": sizes, "type": kind, "purpose": purpose}
            for file, sizes, kind, purpose in ICONS
        ],
    }
    answer = JsonResponse(facts, content_type="application/manifest+json")
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def push_worker(request: HttpRequest) -> HttpResponse:
    """Serve the worker that shows messages, at the root: only from there may it serve the whole site."""
    script = (settings.BASE_DIR / "static" / "js" / "push-worker.js").read_text(encoding="utf-8")
    served = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    served["Cache-Control"] = "no-cache"
    return served
