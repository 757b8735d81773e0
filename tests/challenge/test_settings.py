"""Settings: what holds for the whole event with all that a change moves, the limits from now on, the rules for all."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from challenge.forms.settings import SettingsForm
from challenge.models import Entry, Event
from challenge.selectors.books import Book, book_of
from people.models import User
from tests.challenge.conftest import Enter


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def book(event: Event) -> Book:
    return book_of(Event.objects.get(pk=event.pk))


def typed(event: Event, **more: Any) -> dict[str, Any]:
    """The form as the page shows it, with what somebody changes."""
    form = SettingsForm(book(event))
    values = {field.html_name: field.value() for field in form}
    return {
        "client_id": "s",
        **{name: value for name, value in values.items() if value not in (None, False, "")},
        **more,
    }


def save(browser: Client, event: Event, **more: Any) -> Any:
    found = {name: value for name, value in typed(event, **more).items() if value is not None}
    return browser.post(reverse("challenge:settings", args=[event.slug]), found)


def test_before_the_first_entry_settings_are_saved_at_once(gm: Client, event: Event) -> None:
    answer = save(
        gm, event, options=["betting", "teams"], max_abilities=5, assist_weight="0.5", famous="all",
        tables="Pit: A, B\nJungle", colour_kills="black", house_list=None, penalty_rows=None,
    )  # fmt: skip
    assert answer.status_code == 302
    state = book(event).state
    assert state.options == {"betting", "teams"}
    switches = state.switches
    found = (switches.max_abilities, switches.assist_weight, switches.famous, switches.penalty_rows)
    assert found == (5, 0.5, "all", False)
    assert [(table.id, table.portals) for table in book(event).tables] == [("Pit", ("A", "B")), ("Jungle", ())]
    assert state.chip_colours == {"kills": "black"}
    assert state.models == {}
    page = gm.get(reverse("challenge:settings", args=[event.slug])).content.decode()
    assert page.count("not as the ruling") == 4


def test_the_form_as_it_is_changes_nothing(gm: Client, event: Event) -> None:
    before = Event.objects.get(pk=event.pk).written
    assert save(gm, event).status_code == 302
    assert Event.objects.get(pk=event.pk).written == before


def test_once_something_is_entered_all_that_moves_is_shown_and_confirmed(
    gm: Client, fight: Event, enter: Enter
) -> None:
    enter(what="head_hit", by="Ross", at="Jo", turn=1, phase="fire")
    enter(what="end_turn", turn=1)
    fame = book(fight).state.pilots["Ross"].fame
    assert fame > 0
    count = Event.objects.get(pk=fight.pk).written
    shown = save(gm, fight, options=["betting"])
    page = shown.content.decode()
    assert shown.status_code == 200
    moved = page.split("This moves")[1].split("Change nothing")[0]
    assert "Ross" in moved
    assert f"Fame <del>{fame}</del> → <ins>0</ins>" in re.sub(r"\s+", " ", moved)
    assert re.search(r'value="betting"[^>]*checked', page)
    assert Event.objects.get(pk=fight.pk).written == count
    digest = re.findall(r'name="previewed" value="(\w+)"', page)[0]
    # What is confirmed is what was shown: another change is shown first.
    assert save(gm, fight, options=["betting", "teams"], previewed=digest).status_code == 200
    assert Event.objects.get(pk=fight.pk).written == count
    assert save(gm, fight, options=["betting"], previewed=digest).status_code == 302
    assert book(fight).state.pilots["Ross"].fame == 0
    assert book(fight).state.plays("betting")


def test_the_preview_names_entries_that_the_rules_would_forbid(gm: Client, fight: Event, enter: Enter) -> None:
    page = save(gm, fight, exit_turns="begun").content.decode()
    assert "would forbid" not in page
    digest = re.findall(r'name="previewed" value="(\w+)"', page)[0]
    assert save(gm, fight, exit_turns="begun", previewed=digest).status_code == 302
    enter(what="end_turn", turn=1)
    enter(what="exit", by="Jo", turn=2)
    page = save(gm, fight, exit_turns="completed").content.decode()
    assert "The rules would forbid then what has been entered" in page
    assert "Jo may leave by a portal from turn 3 on" in page


def test_a_table_in_use_stays(gm: Client, fight: Event) -> None:
    answer = save(gm, fight, tables="Jungle")
    assert answer.status_code == 400
    assert "Pilots are on the board of table Factory" in answer.content.decode()


@pytest.mark.parametrize("tables", ["a/b", "", "A\nA", "A: x, x", "..", f"A: {'x' * 41}"])
def test_tables_without_their_form_are_a_fault(gm: Client, event: Event, tables: str) -> None:
    assert save(gm, event, tables=tables).status_code == 400


def test_limits_hold_from_now_on(gm: Client, event: Event) -> None:
    address = reverse("challenge:session", args=[event.slug])
    limits = {
        "client_id": "l",
        "label": "Friday",
        "most_value": 5_000_000,
        "weight_class": "medium",
        "minimum_turns": 3,
    }
    assert gm.post(address, {**limits, "fame": 2, "cp": "", "c_bills": ""}).status_code == 302
    state = book(event).state
    assert (state.most_value, state.allowed_class, state.minimum_turns) == (5_000_000, "medium", 3)
    assert state.early_leaving is not None
    assert (state.early_leaving.fame, state.early_leaving.cp) == (2, 0)
    page = gm.get(reverse("challenge:settings", args=[event.slug])).content.decode()
    assert 'value="Friday"' in page
    assert 'name="fame" value="2"' in page
    assert gm.post(address, {**limits, "minimum_turns": ""}).status_code == 400
    assert gm.post(address, {**limits, "most_value": ""}).status_code == 302
    assert book(event).state.most_value is None
    assert book(event).state.early_leaving is None


def test_everybody_reads_which_switches_differ_from_the_rulings(gm: Client, event: Event) -> None:
    reader = Client()
    address = reverse("challenge:switches", args=[event.slug])
    before = reader.get(address)
    assert before.status_code == 200
    assert "every doubtful rule is read as the rulings say" in before.content.decode()
    save(gm, event, prison_save="unhurt", options=["clan_mechs"])
    page = re.sub(r"\s+", " ", reader.get(address).content.decode())
    turned = page.split("Read otherwise than the rulings")[1].split("</ul>")[0]
    assert "How a pilot goes on whom Solaris Prison saved from death: <b>unhurt</b>" in turned
    assert "MCQ-DEATH-02" in turned
    assert turned.count("<li>") == 1
    assert "Clan ’Mechs for members" in page


@pytest.mark.parametrize("page", ["settings", "keys", "mechs", "event_webhook", "switches"])
def test_every_page_behind_the_settings_marks_their_tab(gm: Client, event: Event, page: str) -> None:
    shown = gm.get(reverse(f"challenge:{page}", args=[event.slug])).content.decode()
    tabs = shown[shown.index('class="event-tabs') : shown.index("</nav>", shown.index('class="event-tabs'))]
    assert tabs.count("aria-current") == 1
    assert "aria-current" in tabs[tabs.index(reverse("challenge:settings", args=[event.slug])) :]


def test_settings_are_for_gms(client: Client, event: Event) -> None:
    for name in ("settings", "session"):
        assert client.post(reverse(f"challenge:{name}", args=[event.slug]), {"tables": "X"}).status_code == 403
    assert client.get(reverse("challenge:settings", args=[event.slug])).status_code == 403
    assert Entry.objects.filter(event=event).count() == 2
