"""Joining and leaving stables and sponsors, and the looks that both take at a pilot (MC-MEM, MC-ADVSP, MC-ADVST)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.cycle import APPROVED, DROP, JOIN, SPONSORS, STABLE
from rules.challenge.entries import NAME, Change, Checker, Entry, Kind
from rules.challenge.memberships import (
    check_stable_fame,
    join,
    leave_membership,
    let_sponsors_look,
    why_not_join,
)
from rules.challenge.shared_checks import cannot_pay, pilot_of, too_little_fame
from rules.challenge.state import Event, Pilot
from rules.challenge.tables import Membership
from rules.challenge.worth import Worth
from rules.core.refusals import Refusal
from rules.core.shapes import listed, text


def _named(event: Event, entry: Entry, kind: str) -> Membership | None:
    found = event.printed.memberships.get(entry.facts.get(kind, ""))
    return found if found is not None and found.kind == kind else None


def _check_join(kind: str) -> Checker:
    def check(event: Event, entry: Entry) -> Iterator[Refusal]:
        membership = _named(event, entry, kind)
        if membership is None:
            yield Refusal("membership_unknown", {"membership": entry.facts[kind]})
        else:
            yield from why_not_join(event, pilot_of(event, entry), membership)

    return check


def _join(kind: str) -> Change:
    def apply(event: Event, entry: Entry) -> None:
        membership = _named(event, entry, kind)
        if membership is not None:
            join(event, pilot_of(event, entry), membership)

    return apply


def _check_drop(kind: str) -> Checker:
    def check(event: Event, entry: Entry) -> Iterator[Refusal]:
        """Leaving must be affordable (MCQ-MEM-02)."""
        pilot = pilot_of(event, entry)
        if _member(event, pilot, entry, kind) is None:
            yield Refusal("not_a_member", {"pilot": pilot.id})
        price = event.printed.leaving[kind]
        yield from cannot_pay(event, pilot, Worth(0, -price.cp, -price.c_bills))

    return check


def _member(event: Event, pilot: Pilot, entry: Entry, kind: str) -> Membership | None:
    if kind == "stable":
        return pilot.stable
    return next((sponsor for sponsor in pilot.sponsors if sponsor.id == entry.facts["sponsor"]), None)


def _drop(kind: str) -> Change:
    def apply(event: Event, entry: Entry) -> None:
        pilot = pilot_of(event, entry)
        membership = _member(event, pilot, entry, kind)
        if membership is not None:
            leave_membership(event, pilot, membership)

    return apply


def _check_option(option: str) -> Checker:
    def check(event: Event, entry: Entry) -> Iterator[Refusal]:
        if not event.plays(option):
            yield Refusal("option_not_in_play", {"option": option})

    return check


def _verify_sponsors(event: Event, entry: Entry) -> None:
    """Let the sponsors look; `keep` names those to keep first."""
    let_sponsors_look(event, pilot_of(event, entry), entry.facts.get("keep", ()))


def _check_favour(event: Event, entry: Entry) -> Iterator[Refusal]:
    yield from _check_option("advanced_sponsors")(event, entry)
    pilot = pilot_of(event, entry)
    sponsor = _member(event, pilot, entry, "sponsor")
    if sponsor is None:
        yield Refusal("not_a_member", {"pilot": pilot.id})
    else:
        yield from too_little_fame(pilot, sponsor.favour)


def _favour(event: Event, entry: Entry) -> None:
    """Keep a sponsor for Fame (MC-ADVSP-05)."""
    pilot = pilot_of(event, entry)
    sponsor = _member(event, pilot, entry, "sponsor")
    if sponsor is not None:
        event.post(pilot, "favour", Worth(fame=-sponsor.favour), membership=sponsor.id)
        pilot.favours.add(sponsor.id)


def _verify_stable(event: Event, entry: Entry) -> None:
    check_stable_fame(event, pilot_of(event, entry))


def _approve(event: Event, entry: Entry) -> None:
    """Note that a judge approves repairs and purchases of this cycle (MC-ABIL-18, MC-REP-13)."""
    pilot_of(event, entry).note(APPROVED)


_SPONSOR = {"sponsor": NAME}
KINDS = (
    Kind("verify_sponsors", _verify_sponsors, _check_option("advanced_sponsors"), {"keep": listed(text(60), 0, 2)}, (),
         True, SPONSORS),
    Kind("favour", _favour, _check_favour, _SPONSOR, ("sponsor",), True, SPONSORS),
    Kind("drop_sponsor", _drop("sponsor"), _check_drop("sponsor"), _SPONSOR, ("sponsor",), True, DROP),
    Kind("drop_stable", _drop("stable"), _check_drop("stable"), {}, (), True, DROP),
    Kind("join_sponsor", _join("sponsor"), _check_join("sponsor"), _SPONSOR, ("sponsor",), True, JOIN),
    Kind("join_stable", _join("stable"), _check_join("stable"), {"stable": NAME}, ("stable",), True, JOIN),
    Kind("verify_stable", _verify_stable, _check_option("advanced_stables"), {}, (), True, STABLE),
    Kind("approve_cycle", _approve, off_board=True),
)  # fmt: skip
