"""What phones propose, and the answers of those who run a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from challenge.models import Claim, Event
from challenge.selectors.access import Standing
from challenge.services.books import LONGEST_CLIENT_ID, Wish, lock_event, write
from rules.challenge.book.rows import DEED, read_row
from rules.challenge.folding import ChallengeRefused
from rules.core.refusals import Malformed

MOST_DOCUMENTS = 30
OF_PLAYERS = frozenset({
    "damage", "sustained", "head_hit", "critical", "blown_off", "melee", "melee_weapon", "charge", "death_from_above",
    "secondary_target", "rear_attack", "standing_after_50", "cripple", "kill", "turret", "edge", "token", "wound",
    "knocked_out",
})  # fmt: skip
"""Feats of the board that a player may claim for their own pilot."""


def claim(
    event: Event,
    who: Standing,
    client_id: str,
    kind: str,
    pilot: str,
    table: str,
    documents: Sequence[Mapping[str, Any]],
) -> Claim:
    """Propose deeds of a pilot; a client id that is known is the same claim. Nothing counts before somebody accepts it.

    Raises PermissionDenied for another's pilot, Malformed for what cannot be read.
    """
    if pilot not in who.pilots and not who.is_agent:
        raise PermissionDenied
    if not 0 < len(client_id) <= LONGEST_CLIENT_ID or not 1 <= len(documents) <= MOST_DOCUMENTS:
        raise Malformed("bad_entry", field="documents", problem="too_long")
    for document in documents:
        entry = read_row(1, DEED, document).entry
        is_theirs = entry is not None and pilot in (*entry.by, entry.at)
        is_feat = entry is not None and entry.what in OF_PLAYERS
        if not is_theirs or (kind == Claim.Kind.FEAT) is not is_feat or (entry and entry.overruled is not None):
            raise PermissionDenied
    found, _made = Claim.objects.get_or_create(
        event=event,
        client_id=client_id,
        defaults={"kind": kind, "pilot": pilot, "table": table, "documents": list(documents)},
    )
    return found


def accept(event_id: int, who: Standing, claim_ids: Sequence[int]) -> None:
    """Write what these claims say, in their order: all of them or, when the rules forbid one, none.

    Raises PermissionDenied, and ChallengeRefused for a claim that is answered already or that the rules forbid.
    """
    with transaction.atomic():
        event = lock_event(event_id)
        claims = _open(event, who, claim_ids)
        wishes = [
            Wish(f"{each.client_id[:58]}-{place}", DEED, document)
            for each in claims
            for place, document in enumerate(each.documents)
        ]
        write(event_id, who, wishes)
        _answer(claims, Claim.State.ACCEPTED)


def strike(event_id: int, who: Standing, claim_ids: Sequence[int]) -> None:
    """Turn claims down. Raises PermissionDenied, and ChallengeRefused for a claim that is answered already."""
    with transaction.atomic():
        _answer(_open(lock_event(event_id), who, claim_ids), Claim.State.STRUCK)


def _open(event: Event, who: Standing, claim_ids: Sequence[int]) -> list[Claim]:
    claims = list(Claim.objects.filter(event=event, pk__in=claim_ids).order_by("pk"))
    if not claims or not all(who.runs(each.table) for each in claims):
        raise PermissionDenied
    if any(each.state != Claim.State.WAITING for each in claims):
        raise ChallengeRefused("claim_answered")
    return claims


def _answer(claims: Sequence[Claim], state: str) -> None:
    Claim.objects.filter(pk__in=[each.pk for each in claims]).update(state=state, answered_at=timezone.now())
