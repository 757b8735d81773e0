"""What happens to a 'Mech and its pilot: crippled, destroyed, ejected, wounded, unconscious, dead."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.awards import DEATH, METHODS
from rules.challenge.deeds.doors import leave
from rules.challenge.entries import TRUTH, Entry, Kind
from rules.challenge.memberships import suspend_for_wound
from rules.challenge.shared_checks import joins_a_fall, needs_one, not_alive, not_in_arena, not_there, turn_of, unknown
from rules.challenge.state import FATAL_WOUNDS, Event
from rules.core.refusals import Refusal
from rules.core.shapes import text, word


def _check_fall(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse a target and claimants who were not there (MC-AWD-02)."""
    if entry.at is None:
        yield Refusal("target_missing", {"what": entry.what})
        return
    if (yield from unknown(event, entry)):
        return
    if entry.at in entry.by:
        yield Refusal("own_target", {"pilot": entry.at})
    for name in (entry.at, *entry.by):
        yield from not_there(event, entry, name)


def _ejected_itself(event: Event, entry: Entry, name: str) -> bool:
    """Return whether the open turn says that a pilot was thrown out of the falling 'Mech."""
    return any(
        fact.entry.what == "eject" and fact.entry.subject == name and fact.entry.facts.get("automatic", False)
        for fact in event.table(entry.table).facts
    )


def _check_kill(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse to destroy a 'Mech that is gone, unless the kill joins the one that destroyed it (MC-AWD-04).

    One whose pilot ejected by hand is no kill (MCQ-AWD-10).
    """
    refusals = list(_check_fall(event, entry))
    yield from refusals
    if refusals or entry.at is None or joins_a_fall(event.table(entry.table), entry):
        return
    if not _ejected_itself(event, entry, entry.at):
        yield from not_in_arena(event.pilots[entry.at])


def _check_knocked_out(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse to knock out who was unconscious when the turn began."""
    refusals = list(_check_fall(event, entry))
    yield from refusals
    if not refusals and entry.at is not None:
        since = event.pilots[entry.at].unconscious_since
        if since is not None and since < turn_of(event, entry):
            yield Refusal("pilot_unconscious", {"pilot": entry.at})


def _check_subject(event: Event, entry: Entry) -> Iterator[Refusal]:
    yield from needs_one(event, entry)
    if not (yield from unknown(event, entry)) and entry.subject is not None:
        yield from not_alive(event.pilots[entry.subject])


def _check_eject(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse a pilot who is not on the board, and automatic ejection that the sheet turns off (MC-EJECT-01)."""
    refusals = list(_check_subject(event, entry))
    yield from refusals
    if not refusals and entry.subject is not None:
        yield from not_in_arena(event.pilots[entry.subject])
        if entry.facts.get("automatic", False) and not event.pilots[entry.subject].auto_eject:
            yield Refusal("auto_eject_off", {"pilot": entry.subject})


def _check_wound(event: Event, entry: Entry) -> Iterator[Refusal]:
    """Refuse to suspend an ability that the pilot has not, or that wounds do not touch (MC-WOUND-02)."""
    refusals = list(_check_subject(event, entry))
    yield from refusals
    ability = entry.facts.get("ability")
    if not refusals and ability is not None and entry.subject is not None:
        pilot = event.pilots[entry.subject]
        owned = [each for each in pilot.abilities if each.ability.id == ability and not each.suspended]
        if not owned:
            yield Refusal("ability_not_owned", {"pilot": pilot.id, "ability": ability})
        elif owned[0].ability.wound_immune:
            yield Refusal("ability_wound_immune", {"ability": ability})


def _cripple(event: Event, entry: Entry) -> None:
    mech = event.pilots[entry.at or ""].mech
    if mech is not None and mech.state == "intact":
        mech.state = "crippled"


def _kill(event: Event, entry: Entry) -> None:
    """Destroy a 'Mech: it leaves (MC-DESTR-01), and its owner's stable takes Fame (MC-STSP-02), both once."""
    if joins_a_fall(event.table(entry.table), entry):
        return
    pilot = event.pilots[entry.at or ""]
    was_aboard = pilot.is_in_arena or _ejected_itself(event, entry, pilot.id)
    if pilot.mech is not None:
        pilot.mech.state = "destroyed"
    if was_aboard and pilot.stable is not None:
        for happening in event.printed.member_events:
            if happening.on == "own_mech_destroyed":
                event.post(pilot, "stable_mech_destroyed", happening.worth)
    leave(event, pilot)


def _eject(event: Event, entry: Entry) -> None:
    """Leave by ejecting: the 'Mech keeps its state (MC-EJECT-03); members of a stable lose Fame (MC-STSP-01)."""
    pilot = event.pilots[entry.subject or ""]
    if pilot.mech is not None:
        pilot.mech.ejected = True
    if pilot.stable is not None and not entry.facts.get("automatic", False):
        for happening in event.printed.member_events:
            if happening.on == "manual_eject":
                event.post(pilot, "stable_manual_eject", happening.worth)
    leave(event, pilot)


def _wound(event: Event, entry: Entry) -> None:
    """Note a hit on the pilot: an ability is suspended (MC-WOUND-01), a stable may take Fame (MC-STAB-04)."""
    pilot = event.pilots[entry.subject or ""]
    suspend_for_wound(event, pilot, entry.facts.get("ability"))
    pilot.wounds = min(pilot.wounds + 1, FATAL_WOUNDS)
    for member, happening in pilot.events_on("pilot_wound"):
        event.post(pilot, member, happening.worth, on="pilot_wound")


def _knock_out(event: Event, entry: Entry) -> None:
    pilot = event.pilots[entry.subject or ""]
    if pilot.is_in_arena and pilot.unconscious_since is None:
        pilot.unconscious_since = event.table(entry.table).turn


def _wake(event: Event, entry: Entry) -> None:
    event.pilots[entry.subject or ""].unconscious_since = None


def _death(event: Event, entry: Entry) -> None:
    """Close a pilot's record with a last award (MC-DEATH-01); the GM has confirmed it (MCQ-DEATH-01)."""
    pilot = event.pilots[entry.subject or ""]
    if pilot.alive:
        event.post(pilot, "death", DEATH)
        pilot.alive = False
        leave(event, pilot)


KINDS = (
    Kind("cripple", _cripple, _check_fall, {"method": word(*METHODS)}),
    Kind("kill", _kill, _check_kill, {"method": word(*METHODS), "joins": TRUTH}),
    Kind("eject", _eject, _check_eject, {"automatic": TRUTH}),
    Kind("wound", _wound, _check_wound, {"ability": text(60)}),
    Kind("knocked_out", _knock_out, _check_knocked_out),
    Kind("unconscious", _knock_out, _check_subject),
    Kind("conscious", _wake, _check_subject),
    Kind("death", _death, _check_subject),
)
