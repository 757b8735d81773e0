"""Sites in processes of their own, with settings of their own, and what they answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.services.processes import environment, run
from tests.waiting import DEADLINE_SECONDS

ASK = f"""
import django, json, os
django.setup()
from django.test import Client
from solaris_site import readiness
readiness.LONGEST_LOOK = {DEADLINE_SECONDS}
answers = {{}}
for address in os.environ["ASK"].split():
    answer = Client(raise_request_exception=False).get(address)
    answers[address] = [answer.status_code, answer.content.decode()]
print(json.dumps(answers))
"""


def ask(*addresses: str, **variables: str) -> dict[str, tuple[int, Any]]:
    """What a site with these variables answers, in a process of its own."""
    given = {
        "DJANGO_SETTINGS_MODULE": "solaris_site.settings",
        "ALLOWED_HOSTS": "testserver",
        "ASK": " ".join(addresses),
        **variables,
    }
    document = json.loads(run("-c", ASK, variables=environment(**given)).splitlines()[-1])
    return {address: (status, json.loads(text)) for address, (status, text) in document.items()}


def production(tmp_path: Path, **variables: str) -> dict[str, str]:
    kept = {"VAR_DIR": str(tmp_path), "STATIC_ROOT": str(tmp_path / "static"), "DEBUG": "0"}
    return {"SECRET_KEY": "x" * 60, "ALLOWED_HOSTS": "testserver", **kept, **variables}
