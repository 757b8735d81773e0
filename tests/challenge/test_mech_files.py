"""Files of 'Mechs on the page of the list: a preview first, then one row."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from challenge.models import Entry, Event
from challenge.presenters.mech_files import SOURCES, WHY
from challenge.selectors.books import book_of
from challenge.services.events import make_key
from people.models import User
from rules.challenge.mech_files.reading import UNREADABLE
from rules.challenge.mechs import MechModel
from tests.challenge.conftest import GM, LIGHT
from tests.rules.challenge.test_mech_files import EXPORT, FORCE, mtf


@pytest.fixture
def gm(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def models(event: Event) -> dict[str, MechModel]:
    return book_of(Event.objects.get(pk=event.pk)).state.models


def bring(browser: Client, event: Event, files: dict[str, bytes], **typed: Any) -> Any:
    uploads = [SimpleUploadedFile(name, data) for name, data in files.items()]
    return browser.post(reverse("challenge:mechs_files", args=[event.slug]), {"uploads": uploads, **typed})


def confirm(browser: Client, event: Event, page: str, **typed: Any) -> Any:
    found = re.search(r'name="carried" value="([^"]*)"', page)
    assert found is not None
    typed = {"client_id": "f", "carried": html.unescape(found[1]), "confirm": "1", **typed}
    return browser.post(reverse("challenge:mechs_files", args=[event.slug]), typed)


def test_files_are_shown_first_and_then_taken_in_one_row(gm: Client, event: Event) -> None:
    new = mtf(model="LCT-9", places={"Head": ("ISTAG",)})
    shown = bring(gm, event, {"a.mtf": mtf(), "b.mtf": new, "c.csv": EXPORT.encode(), "d.png": b"x"})
    page = shown.content.decode()
    assert shown.status_code == 200
    assert "New ’Mechs: 2" not in page
    assert "New ’Mechs: 1. ’Mechs of the list: 1. ’Mechs without a price: 2." in page
    assert "1,512,400 → <b>1,500,000</b>" in " ".join(page.split())
    assert "Without a price in the table:" in page
    assert "Its name ends in none of" in page
    assert not Entry.objects.filter(event=event, kind="mechs").exists()
    for _ in range(2):
        assert confirm(gm, event, page, price_locust_lct_9="1,600,000").status_code == 302
    assert Entry.objects.filter(event=event, kind="mechs").count() == 1
    found = models(event)
    assert found[LIGHT].cost == 1_500_000
    assert (found["locust_lct_9"].cost, found["locust_lct_9"].flags) == (1_600_000, frozenset({"tag"}))
    assert found["nova_cat_test_prime"].is_clan
    assert "costless_x_1" not in found
    after = gm.get(reverse("challenge:mechs", args=[event.slug])).content.decode()
    assert "3 ’Mechs of the files are in the list." in after
    assert "1 ’Mech without a price is left out." in after


@pytest.mark.parametrize("typed", ["dear", "0", "-5"])
def test_a_price_that_is_none_shows_the_page_again_and_writes_nothing(gm: Client, event: Event, typed: str) -> None:
    page = bring(gm, event, {"a.mtf": mtf(model="LCT-9", myomer="Odd")}).content.decode()
    assert "Myomer: Odd" in page
    answer = confirm(gm, event, page, price_locust_lct_9=typed)
    assert answer.status_code == 400
    again = answer.content.decode()
    assert re.search(rf'value="{typed}"[^>]*aria-invalid="true"', again)
    assert not Entry.objects.filter(event=event, kind="mechs").exists()
    assert confirm(gm, event, again, price_locust_lct_9="900000").status_code == 302
    assert models(event)["locust_lct_9"].cost == 900_000


def test_without_any_price_nothing_is_written(gm: Client, event: Event) -> None:
    page = bring(gm, event, {"a.mtf": mtf(model="LCT-9", myomer="Odd")}).content.decode()
    assert confirm(gm, event, page).status_code == 200
    assert not Entry.objects.filter(event=event, kind="mechs").exists()


def test_the_lists_prices_stay_and_all_others_go_where_the_gm_says_so(gm: Client, event: Event) -> None:
    files = {"a.csv": EXPORT.encode(), "b.mul": FORCE}
    page = bring(gm, event, files, keep="on", only="on").content.decode()
    assert "Nobody N-1" in page
    assert "’Mechs that leave the list: 65." in page
    assert '<input type="hidden" name="keep" value="on">' in page
    assert confirm(gm, event, page, keep="on", only="on").status_code == 302
    found = models(event)
    assert set(found) == {LIGHT, "flea_fle_4", "nova_cat_test_prime"}
    assert found[LIGHT].cost == 1_512_400


def test_no_file_and_a_page_that_was_changed_are_refused(gm: Client, event: Event) -> None:
    address = reverse("challenge:mechs_files", args=[event.slug])
    answer = gm.post(address, {})
    assert answer.status_code == 400
    assert "<details open>" in answer.content.decode()
    assert gm.get(address).status_code == 405
    assert gm.post(address, {"carried": '{"mechs":[{"name":"x"}],"named":[]}', "confirm": "1"}).status_code == 400
    assert not Entry.objects.filter(event=event, kind="mechs").exists()


def test_only_a_gm_brings_files(client: Client, event: Event) -> None:
    assert bring(client, event, {"a.mtf": mtf()}).status_code == 403
    key = make_key(event, GM, "agent", table="Jungle")
    client.get(reverse("challenge:use_key", args=[event.slug, key.secret]))
    assert bring(client, event, {"a.mtf": mtf()}).status_code == 403
    assert "mechs/files/" not in client.get(reverse("challenge:mechs", args=[event.slug])).content.decode()


def test_each_reason_has_a_sentence() -> None:
    assert set(WHY) == set(UNREADABLE)
    assert {"formula", "file", "typed", "list"} == set(SOURCES)
