"""Programs of people who play a match over the interface."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from matches.models import Match
from matches.selectors.matches import rebuild
from people.models import ApiToken, User
from people.services.tokens import make_token
from rules.competition.match import Match as EngineMatch

PEOPLE = {"red": "player", "blue": "rival"}
"""Who plays which side of `duel`."""


class Asker:
    """A program of somebody."""

    def __init__(self, name: str, match: Match) -> None:
        self.user = User.objects.filter(username=name).first() or User.objects.create_user(name, f"{name}@x.org", "-")
        ApiToken.objects.filter(user=self.user).delete()
        self.headers = {"Authorization": f"Bearer {make_token(user=self.user, name='x', scopes=['read', 'play']).text}"}
        self.root = f"/api/v1/matches/{match.public_id}/"
        self.client = Client(raise_request_exception=False)

    def get(self, part: str) -> Any:
        return self.client.get(f"{self.root}{part}", headers=self.headers)

    def post(self, part: str, body: Any, key: str = "") -> Any:
        headers = {**self.headers, **({"Idempotency-Key": key} if key else {})}
        text = body if isinstance(body, str | bytes) else json.dumps(body)
        return self.client.post(f"{self.root}{part}", text, content_type="application/json", headers=headers)

    def put(self, part: str, body: Any) -> Any:
        return self.client.put(f"{self.root}{part}", body, content_type="application/json", headers=self.headers)

    @property
    def seen(self) -> str:
        return str(self.get("decision/").json()["seen"])

    def play(self, action: Any, key: str = "") -> Any:
        return self.post("actions/", {"seen": self.seen, "action": action}, key)


def deciding(match: Match) -> EngineMatch:
    match.refresh_from_db()
    engine = rebuild(match)
    assert engine.decision is not None
    return engine


def decider(match: Match) -> Asker:
    decision = deciding(match).decision
    assert decision is not None
    return Asker(PEOPLE[decision.side], match)


def other(match: Match) -> Asker:
    decision = deciding(match).decision
    assert decision is not None
    return Asker(PEOPLE["blue" if decision.side == "red" else "red"], match)
