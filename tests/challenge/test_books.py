"""The writer of books: once, in order, undone by a row, corrected with a reason."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction

from challenge.models import Closing, Entry, Event
from challenge.selectors.access import Access
from challenge.selectors.books import book_of
from challenge.services.books import Wish, write
from challenge.services.events import close_event
from rules.challenge.book.rows import DEED, UNDO, objections
from rules.challenge.folding import ChallengeRefused
from rules.core.refusals import Malformed
from tests.challenge.conftest import AGENT, GM, LIGHT, Enter
from web.append_only import WrittenOnce


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def test_everything_follows_from_the_rows(fight: Event, enter: Enter) -> None:
    enter(what="head_hit", by="Ross", at="Jo", turn=1, phase="fire")
    before = book_of(fresh(fight)).state.pilots["Ross"].fame
    enter(what="end_turn", turn=1)
    state = book_of(fresh(fight)).state
    assert state.pilots["Ross"].fame > before
    assert state.tables["Factory"].turn == 2
    assert Closing.objects.get(event=fight).balances["Ross"]["fame"] == state.pilots["Ross"].fame


def test_a_second_try_with_the_same_client_id_is_the_same_entry(fight: Event) -> None:
    wish = Wish("phone-1", DEED, {"what": "crowd", "by": "Jo", "table": "Factory", "turn": 1})
    assert write(fight.pk, GM, [wish]) == write(fight.pk, GM, [wish])
    assert Entry.objects.filter(event=fight, client_id="phone-1").count() == 1


def test_of_several_wishes_all_are_written_or_none(fight: Event) -> None:
    count = fresh(fight).written
    wishes = [
        Wish("a", DEED, {"what": "crowd", "by": "Jo", "table": "Factory"}),
        Wish("b", DEED, {"what": "crowd", "by": "Nobody", "table": "Factory"}),
    ]
    with pytest.raises(ChallengeRefused) as refused:
        write(fight.pk, GM, wishes)
    assert refused.value.code == "pilot_unknown"
    assert fresh(fight).written == Entry.objects.filter(event=fight).count() == count


def test_the_gm_overrules_what_the_rules_forbid(fight: Event, enter: Enter) -> None:
    with pytest.raises(ChallengeRefused) as refused:
        enter(what="exit", by="Jo", turn=1)
    assert refused.value.code == "too_early_to_leave"
    with pytest.raises(PermissionDenied):
        enter(AGENT, what="exit", by="Jo", turn=1, overruled="ill")
    enter(what="exit", by="Jo", turn=1, overruled="ill")
    assert not book_of(fresh(fight)).state.pilots["Jo"].is_in_arena


def test_an_undo_is_a_row_and_can_be_undone(fight: Event, enter: Enter) -> None:
    number = enter(what="wound", at="Jo", turn=1)
    undo = write(fight.pk, AGENT, [Wish("u", UNDO, {}, undoes=number)])[0]
    assert book_of(fresh(fight)).state.pilots["Jo"].wounds == 0
    with pytest.raises(ChallengeRefused) as refused:
        write(fight.pk, AGENT, [Wish("u2", UNDO, {}, undoes=number)])
    assert refused.value.code == "entry_undone"
    write(fight.pk, GM, [Wish("u3", UNDO, {}, undoes=undo)])
    assert book_of(fresh(fight)).state.pilots["Jo"].wounds == 1


def test_what_later_entries_need_is_not_undone(fight: Event) -> None:
    arrival = next(row.number for row in book_of(fight).rows if row.document.get("by") == "Ross")
    with pytest.raises(ChallengeRefused) as refused:
        write(fight.pk, GM, [Wish("u", UNDO, {}, undoes=arrival)])
    assert refused.value.code == "entry_needed"
    with pytest.raises(ChallengeRefused) as refused:
        write(fight.pk, GM, [Wish("u", UNDO, {}, undoes=999)])
    assert refused.value.code == "no_such_entry"


def test_a_closed_turn_is_corrected_with_a_reason_and_counts_where_it_stands(fight: Event, enter: Enter) -> None:
    end = enter(what="end_turn", turn=1)
    enter(what="crowd", by="Jo", turn=2)
    hit = {"what": "head_hit", "by": "Ross", "at": "Jo", "turn": 1, "phase": "fire", "table": "Factory"}
    with pytest.raises(ChallengeRefused) as refused:
        write(fight.pk, GM, [Wish("late", DEED, hit, before=end)])
    assert refused.value.code == "why_missing"
    write(fight.pk, GM, [Wish("late", DEED, hit, before=end, reason="forgotten")])
    book = book_of(fresh(fight))
    assert book.state.pilots["Ross"].fame > 0
    assert book.state.tables["Factory"].turn == 2
    assert [line.turn for line in book.state.lines if line.pilot == "Ross" and "." in line.reason] == [1]
    assert objections(book.rows) == {}


def test_an_agent_writes_at_their_own_table_alone(fight: Event, enter: Enter) -> None:
    enter(AGENT, what="crowd", by="Jo", turn=1)
    with pytest.raises(PermissionDenied):
        enter(AGENT, what="crowd", by="Jo", turn=1, table="Jungle")
    for who in (AGENT, Access(pilots=frozenset({"Jo"})), Access()):
        with pytest.raises(PermissionDenied):
            enter(who, what="give", at="Jo", fame=100)
    with pytest.raises(PermissionDenied):
        enter(Access(pilots=frozenset({"Jo"})), what="crowd", by="Jo", turn=1)


def test_a_row_without_its_form_changes_nothing(fight: Event) -> None:
    count = fresh(fight).written
    for kind, document in ((DEED, {"what": "sneeze"}), (UNDO, {}), ("setup", {"tables": []}), ("song", {})):
        with pytest.raises(Malformed):
            write(fight.pk, GM, [Wish("x", kind, document)])
    with pytest.raises(Malformed):
        write(fight.pk, GM, [Wish("", DEED, {"what": "crowd", "by": "Jo"})])
    assert fresh(fight).written == count


def test_settings_hold_from_the_first_row_on_and_limits_from_now_on(fight: Event, enter: Enter) -> None:
    setup = dict(book_of(fight).setup)
    write(fight.pk, GM, [Wish("s", "setup", {**setup, "options": ["teams"]})])
    write(fight.pk, GM, [Wish("l", "session", {"most_value": 1_000_000})])
    state = book_of(fresh(fight)).state
    assert state.options == {"teams"}
    assert state.most_value == 1_000_000
    assert state.pilots["Jo"].mech is not None
    enter(what="new_pilot", by="Kim")
    with pytest.raises(ChallengeRefused) as refused:
        enter(do="buy_mech", pilot="Kim", mech=LIGHT)
    assert refused.value.code == "mech_too_valuable"


def test_the_list_of_mechs_changes_for_those_who_buy_later(fight: Event, enter: Enter) -> None:
    write(fight.pk, GM, [Wish("m", "mechs", {"mechs": {LIGHT: {"tons": 20, "cost": 990_000}}})])
    enter(what="new_pilot", by="Kim")
    enter(do="buy_mech", pilot="Kim", mech=LIGHT)
    pilots = book_of(fresh(fight)).state.pilots
    assert pilots["Kim"].mech is not None
    assert pilots["Ross"].mech is not None
    assert pilots["Kim"].mech.book == 990_000 < pilots["Ross"].mech.book


def test_rows_are_never_changed(fight: Event) -> None:
    entry = Entry.objects.filter(event=fight).first()
    assert entry is not None
    with pytest.raises(WrittenOnce):
        entry.save()
    with pytest.raises(DatabaseError), transaction.atomic():
        Entry._base_manager.filter(pk=entry.pk).update(number=999)


def test_a_closed_event_takes_no_more(fight: Event, enter: Enter) -> None:
    with pytest.raises(PermissionDenied):
        close_event(fight.pk, AGENT)
    close_event(fight.pk, GM)
    with pytest.raises(ChallengeRefused) as refused:
        enter(what="crowd", by="Jo", turn=1)
    assert refused.value.code == "event_closed"


@pytest.mark.parametrize("name", ["Ann/Bo", "..", "/"])
def test_no_way_makes_a_pilot_whose_pages_have_no_address(event: Event, enter: Enter, name: str) -> None:
    for more in ({"by": name}, {"at": name}, {"by": name, "overruled": "agreed"}):
        with pytest.raises(ChallengeRefused) as refused:
            enter(what="new_pilot", **more)
        assert refused.value.code == "pilot_name_unfit"
    assert book_of(fresh(event)).state.pilots == {}
