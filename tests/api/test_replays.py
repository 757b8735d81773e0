"""Requests that are sent again under their idempotency key: who lost the office, stable or seat is refused, and no
secret is kept for them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from api import idempotency
from challenge.models import Event
from matches.models import MatchSeat
from people.models import KeptAnswer
from stables.models import Season, SeasonRole, Stable
from tests.stables.webhooks.receiver import Receiver, receiver
from tests.web.roles.world import ROLES, World

from .operations import Operation, operations
from .test_permissions import lines

__all__ = ["receiver"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]
Asks = Callable[..., Any]

CODES = {name: dict(zip(ROLES, codes, strict=False)) for name, codes in lines().items()}


def is_kept(operation: Operation) -> bool:
    return bool(getattr(getattr(operation.view, operation.method), "is_kept", False))


FOR_FEW = [each for each in operations() if is_kept(each) and CODES[str(each)]["spectator"] == 403]
"""What is answered once, and not to everybody: it needs an office, a stable or a seat."""


def holder_of(operation: Operation) -> str:
    """Who may: the organiser where the owner of a stable may not, else that owner, who has seats in matches."""
    codes = CODES[str(operation)]
    return "organiser" if codes["organiser"] != 403 and codes["player"] == 403 else "player"


def dismiss(world: World, role: str) -> None:
    """Take everything that they run, own and play from somebody."""
    person, heir = world.people[role], world.people["spectator"]
    Season.objects.filter(organiser=person).update(organiser=heir)
    SeasonRole.objects.filter(user=person).delete()
    Stable.objects.filter(owner=person).update(owner=heir)
    MatchSeat.objects.filter(user=person).update(user=heir)
    Event.objects.filter(owner=person).update(owner=heir)


def test_most_writes_are_for_few() -> None:
    names = {str(each) for each in FOR_FEW}
    assert len(names) > 60
    assert names > {"POST api:webhooks", "PUT api:basket", "POST api:reports", "POST api:result_decide"}
    assert names > {"POST api:match_actions", "POST api:season_start", "POST api:stable_sudden_death"}


@pytest.mark.parametrize("operation", FOR_FEW, ids=str)
def test_who_may_not_any_more_is_not_answered_again(
    api: Asks, world: World, monkeypatch: pytest.MonkeyPatch, operation: Operation
) -> None:
    holder, address = holder_of(operation), operation.address(world)
    monkeypatch.setattr(idempotency, "request_hash", lambda request: "the same")
    own = {"user": world.people[holder], "key": "one", "request_hash": "the same"}
    KeptAnswer.objects.create(**own, status=200, body='{"told": "then"}')
    again = api(holder, operation.method, address, key="one")
    assert (again.status_code, again.json()) == (200, {"told": "then"})
    assert again.headers["Idempotency-Replayed"] == "true"
    dismiss(world, holder)
    refused = api(holder, operation.method, address, key="one")
    assert refused.status_code == 403
    assert "then" not in refused.content.decode()
    assert "Idempotency-Replayed" not in refused.headers


def test_who_came_too_late_for_a_seat_hears_so_again(api: Asks, world: World) -> None:
    address = f"matches/{world.friendly.public_id}/seat/"
    first, second = (api("spectator", "post", address, key="one") for _ in range(2))
    assert (first.status_code, second.status_code) == (409, 409)
    assert second.headers["Idempotency-Replayed"] == "true"


def again_without(ask: Callable[[], Any], *secrets: str, status: int = 201) -> tuple[dict[str, Any], dict[str, Any]]:
    """Send a request twice: the first answer has its secrets, the second says null, and none of them is kept."""
    first, second = ask(), ask()
    assert (first.status_code, second.status_code) == (status, status)
    assert second.headers["Idempotency-Replayed"] == "true"
    document, repeated = first.json(), second.json()
    assert all(document[name] for name in secrets)
    assert repeated == {**document, **dict.fromkeys(secrets)}
    kept = json.dumps(list(KeptAnswer.objects.values_list("body", "headers")))
    assert not [name for name in secrets if document[name] in kept]
    return document, repeated


def test_secrets_of_a_webhook_are_shown_once(api: Asks, world: World, receiver: Receiver) -> None:
    """And a co-organiser who lost the role does not learn them."""
    address = f"seasons/{world.seasons['running'].slug}/webhooks/"

    def make() -> Any:
        return api("helper", "post", address, {"url": receiver.url}, key="one")

    _, repeated = again_without(make, "url", "secret")
    own = f"{address}{repeated['public_id']}/"
    again_without(lambda: api("helper", "put", own, {"on": True}, key="two"), "url", "secret", status=200)
    again_without(lambda: api("helper", "post", f"{own}secret/", key="three"), "url", "secret", status=200)
    assert api("helper", "get", own).json()["secret"]
    SeasonRole.objects.filter(user=world.people["helper"]).delete()
    assert make().status_code == 403


def test_the_address_of_a_calendar_is_shown_once(api: Asks, world: World) -> None:
    address = f"seasons/{world.seasons['running'].slug}/calendar-feed/"
    answer, _ = again_without(lambda: api("player", "post", address, key="one"), "address")
    assert api("player", "get", address).json() == answer


def test_the_code_of_an_invitation_is_shown_once(api: Asks, world: World) -> None:
    address = f"seasons/{world.seasons['recruiting'].slug}/invitations/"
    answer, _ = again_without(lambda: api("organiser", "post", address, {"most_uses": 2}, key="one"), "code", "link")
    assert api("organiser", "get", address).json()["results"][0] == answer
