"""The description of the interface as the code gives it now, and what schemathesis should put into addresses."""

from __future__ import annotations

import json
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer


def description() -> dict[str, Any]:
    """The OpenAPI document."""
    found = SchemaGenerator().get_schema(request=None, public=True)
    document: dict[str, Any] = json.loads(OpenApiJsonRenderer().render(found, renderer_context={}))
    return document


ACCEPTED = ["2xx", "3xx", "401", "403", "404", "409", "422", "429", "5xx"]
"""What a well-formed request may be answered with: what schemathesis takes by itself (5xx is the business of another
check), and 422. Random requests use an idempotency key again for another request, which no description can tell
beforehand, and nothing else is answered with 422 (docs/api.md)."""
REFUSED = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429", "5xx"]
"""What schemathesis takes for a refusal of itself, and 413: what is longer than its field may be too long a request."""


def configuration() -> dict[str, Any]:
    """Mostly names of what is there, so that requests get beyond the address; now and then anything."""
    return {
        "dictionaries": {
            "seasons": {"values": ["table-season", "running-season", "recruiting-season"]},
            "stables": {"values": ["player-sons", "rival-sons"]},
            "releases": {"values": ["latest"]},
            "keys": {"values": ["SOL002", "GS-008", "G-001", "R-001", "T-001", "plaza"]},
            "collections": {"values": ["brought", "private-dials"]},
        },
        "parameters": {
            "path.season_slug": {"dictionary": "seasons", "probability": 0.9},
            "path.stable_slug": {"dictionary": "stables", "probability": 0.9},
            "path.content_hash": {"dictionary": "releases", "probability": 0.9},
            "path.key": {"dictionary": "keys", "probability": 0.9},
            "path.slug": {"dictionary": "collections", "probability": 0.9},
        },
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ACCEPTED},
            "negative_data_rejection": {"expected-statuses": REFUSED},
        },
    }
