"""What phones propose, and the answers of those who run a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from challenge.models import Claim, Event
from challenge.selectors.access import Access
from challenge.selectors.books import book_of
from challenge.services.books import LONGEST_CLIENT_ID, MOST_WISHES, Wish, lock_event, write
from challenge.services.news import PLAN_APPROVED, PLAN_STRUCK, say_plans
from rules.challenge.book.rows import DEED, read_row
from rules.challenge.entries import Entry, read_entry
from rules.challenge.folding import ChallengeRefused, enter, not_of_open_turn
from rules.challenge.kinds import KINDS
from rules.challenge.state import Event as EventState
from rules.challenge.trial import copied, tried
from rules.core.refusals import Malformed
from rules.core.shape_checks import shown

MOST_DOCUMENTS = 30
OF_PLAYERS = frozenset({
    "damage", "sustained", "head_hit", "critical", "blown_off", "melee", "melee_weapon", "charge", "death_from_above",
    "secondary_target", "rear_attack", "standing_after_50", "cripple", "kill", "turret", "edge", "token", "wound",
    "knocked_out",
})  # fmt: skip
"""Feats of the board that a player may claim for their own pilot."""

OF_CYCLES = frozenset({
    "cash_chips", "verify_sponsors", "favour", "drop_sponsor", "drop_stable", "repair", "heal", "sell", "join_sponsor",
    "join_stable", "buy_ability", "buy_edge", "declare_house", "change_house", "special_ammunition", "verify_stable",
    "buy_mech", "buy_back", "give_back", "customise", "loan", "repay", "lend", "deposit", "team_up",
    "join_team_sponsor", "split",
})  # fmt: skip
"""Deeds that a player may plan for their off-board cycle; dice are rolled before a judge, and a judge approves."""

OF_KINDS = {Claim.Kind.FEAT.value: OF_PLAYERS, Claim.Kind.CYCLE.value: OF_CYCLES}
MOST_WAITING = 40
"""Claims of one pilot that wait at the same time."""
SAYS_TOO_LITTLE = frozenset(
    {"target_missing", "points_or_band", "own_target", "pilot_unknown", "pilot_missing_in_entry"}
)
"""Refusals of a feat that no moment of the evening mends: the phone says them at once."""
LONGEST_PRESS = 58
"""Characters of a claim's own id that leave room for the place of a row in it."""


def claim(
    event: Event,
    who: Access,
    client_id: str,
    kind: str,
    pilot: str,
    table: str,
    documents: Sequence[Mapping[str, Any]],
) -> Claim:
    """Propose deeds of a pilot; a client id that is known is the same claim. Nothing counts before somebody accepts it.

    A new plan of a cycle takes the place of one that waits. Raises PermissionDenied for another's pilot,
    ChallengeRefused for a closed event, for too many that wait, and for a feat that says too little or is of a turn to
    come, Malformed for what cannot be read.
    """
    if pilot not in who.pilots and not who.is_agent:
        raise PermissionDenied
    if not 0 < len(client_id) <= LONGEST_CLIENT_ID:
        raise Malformed("bad_entry", field="client_id", problem="wrong_format", value=shown(client_id))
    if not 1 <= (count := len(documents)) <= MOST_DOCUMENTS:
        raise Malformed(
            "bad_entry", field="documents", problem="wrong_count", count=count, least=1, most=MOST_DOCUMENTS
        )
    entries = []
    for document in documents:
        entry = read_row(1, DEED, document).entry
        is_theirs = entry is not None and pilot in (*entry.by, entry.at)
        if entry is None or not is_theirs or entry.what not in OF_KINDS[kind] or entry.overruled is not None:
            raise PermissionDenied
        entries.append(entry)
    with transaction.atomic():
        locked = lock_event(event.pk)
        known = Claim.objects.filter(event=event, client_id=client_id).first()
        if known is not None:
            return known
        if locked.closed_at is not None:
            raise ChallengeRefused("event_closed")
        if kind == Claim.Kind.FEAT:
            _check_feats(book_of(locked).state, entries)
        waiting = Claim.objects.filter(event=event, pilot=pilot, state=Claim.State.WAITING)
        if kind == Claim.Kind.CYCLE:
            waiting.filter(kind=kind).update(state=Claim.State.STRUCK, answered_at=timezone.now())
        if waiting.count() >= MOST_WAITING:
            raise ChallengeRefused("claims_waiting", most=MOST_WAITING)
        return Claim.objects.create(
            event=event, client_id=client_id, kind=kind, pilot=pilot, table=table, documents=list(documents)
        )


def withdraw(event: Event, who: Access, claim_id: int) -> Claim:
    """Take back a claim of one's own pilot that nobody has answered, and return it.

    Raises PermissionDenied, and ChallengeRefused (claim_answered).
    """
    with transaction.atomic():
        lock_event(event.pk)
        found = Claim.objects.filter(event=event, pk=claim_id, pilot__in=who.pilots).first()
        if found is None:
            raise PermissionDenied
        if found.state != Claim.State.WAITING:
            raise ChallengeRefused("claim_answered")
        _answer([found], Claim.State.STRUCK)
    return found


def _check_feats(state: EventState, entries: Sequence[Entry]) -> None:
    """Raise ChallengeRefused for a feat that nobody could accept: one without its target, or of a turn to come."""
    for entry in entries:
        refusals = [each for each in not_of_open_turn(state, entry) if each.code != "turn_closed"]
        refusals += [each for each in KINDS[entry.what].check(state, entry) if each.code in SAYS_TOO_LITTLE]
        if refusals:
            raise ChallengeRefused(refusals[0].code, **refusals[0].parameters)


def accept(event_id: int, who: Access, claim_ids: Sequence[int]) -> None:
    """Write what these claims say, in their order: all of them or, when the rules forbid one, none.

    Where the event asks for the approval of off-board cycles, accepting one approves it. Raises PermissionDenied, and
    ChallengeRefused for a claim that is answered already or that the rules forbid.
    """
    with transaction.atomic():
        event = lock_event(event_id)
        claims = _open(event, who, claim_ids)
        for each in claims:
            if each.kind == Claim.Kind.FEAT:
                _check_feats(book_of(event).state, [read_entry(document, KINDS) for document in each.documents])
        write(event_id, who, [wish for each in claims for wish in _wishes(event, each)])
        _answer(claims, Claim.State.ACCEPTED)
        say_plans(event, who, PLAN_APPROVED, claims)


def accept_feats(
    event_id: int, who: Access, claim_ids: Sequence[int], overruled: str = ""
) -> dict[int, ChallengeRefused]:
    """Write what these claims of feats say, in their order, each as far as the rules allow it then.

    Those that the rules forbid wait on: their refusals are returned by claim. A claim that is answered already is
    passed over. `overruled` is a GM's reason to allow all the same. Raises PermissionDenied, and ChallengeRefused
    where all are answered.
    """
    refused: dict[int, ChallengeRefused] = {}
    taken: list[Claim] = []
    wishes: list[Wish] = []
    with transaction.atomic():
        event = lock_event(event_id)
        claims = [each for each in _theirs(event, who, claim_ids) if each.kind == Claim.Kind.FEAT]
        waiting = [each for each in claims if each.state == Claim.State.WAITING]
        if not waiting:
            raise ChallengeRefused("claim_answered")
        state = copied(book_of(event).state)
        for each in waiting:
            own = _wishes(event, each, overruled)
            if len(wishes) + len(own) > MOST_WISHES:
                break
            try:
                state = _after(state, [read_entry(wish.document, KINDS) for wish in own])
            except ChallengeRefused as refusal:
                refused[each.pk] = refusal
            else:
                taken.append(each)
                wishes += own
        if taken:
            write(event_id, who, wishes)
            _answer(taken, Claim.State.ACCEPTED)
    return refused


def _after(state: EventState, deeds: Sequence[Entry]) -> EventState:
    """Return a trial state after the deeds of one claim; it stays as it was where the rules forbid one of them.

    Nobody overrules a turn that is not open, or a feat that says too little.
    """
    for entry in deeds:
        for refusal in not_of_open_turn(state, entry):
            raise ChallengeRefused(refusal.code, **refusal.parameters)
    _check_feats(state, deeds)
    if len(deeds) > 1:
        return tried(state, deeds)
    for entry in deeds:
        enter(state, entry)
    return state


def _wishes(event: Event, claim: Claim, overruled: str = "") -> list[Wish]:
    """Return what a claim writes. A kill joins one that is entered: several claimants share it (MC-AWD-04)."""
    more = {"overruled": overruled} if overruled else {}
    documents = [
        {**each, **more, **({"joins": True} if each.get("what") == "kill" else {})} for each in claim.documents
    ]
    press = claim.client_id
    if len(press) > LONGEST_PRESS:
        press = sha256(press.encode()).hexdigest()[:LONGEST_PRESS]
    return [
        Wish(f"{press}-{place}", DEED, document)
        for place, document in enumerate([*documents, *_approval(event, claim)])
    ]


def _approval(event: Event, claim: Claim) -> list[dict[str, Any]]:
    """Return the deed that approves a cycle (MC-ABIL-18, MC-REP-13), where the event asks for it."""
    if claim.kind != Claim.Kind.CYCLE or not book_of(event).state.switches.cycle_approval:
        return []
    return [{"do": "approve_cycle", "pilot": claim.pilot, "table": claim.table}]


def strike(event_id: int, who: Access, claim_ids: Sequence[int]) -> None:
    """Turn claims down. Raises PermissionDenied, and ChallengeRefused for a claim that is answered already."""
    with transaction.atomic():
        event = lock_event(event_id)
        claims = _open(event, who, claim_ids)
        _answer(claims, Claim.State.STRUCK)
        say_plans(event, who, PLAN_STRUCK, claims)


def _open(event: Event, who: Access, claim_ids: Sequence[int]) -> list[Claim]:
    claims = _theirs(event, who, claim_ids)
    if any(each.state != Claim.State.WAITING for each in claims):
        raise ChallengeRefused("claim_answered")
    return claims


def _theirs(event: Event, who: Access, claim_ids: Sequence[int]) -> list[Claim]:
    claims = list(Claim.objects.filter(event=event, pk__in=claim_ids).order_by("pk"))
    if not claims or not all(who.runs(each.table) for each in claims):
        raise PermissionDenied
    return claims


def _answer(claims: Sequence[Claim], state: str) -> None:
    Claim.objects.filter(pk__in=[each.pk for each in claims]).update(state=state, answered_at=timezone.now())
