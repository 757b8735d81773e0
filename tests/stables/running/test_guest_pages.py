"""A guest's phone: the link that opens a stable on it, what a guest may do, and how an account claims the stable."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from jobs.services import run_pending
from people.models import User
from solaris_site.jobs import scan_for_pushes
from stables import middleware
from stables.models import Stable
from stables.services.running import coming, standing_in
from tests.people.browsers.push_service import Browser, push_browser
from tests.stables.duels import Club
from tests.web.roles.addresses import named_patterns

__all__ = ["push_browser"]
pytestmark = pytest.mark.django_db
SEAT = {"act": "seat_guest", "reason": "agreed"}


def manage(club: Club) -> str:
    return reverse("stables:manage", args=[club.season.slug, club.stables["machines"].slug])


def stable(club: Club) -> Stable:
    return Stable.objects.select_related("owner", "season").get(pk=club.stable_id("machines"))


def link(club: Club) -> str:
    page = club.client("organiser").post(manage(club), SEAT)
    assert page.status_code == 200, page.context.get("problem")
    return str(page.context["link"])


def seated(club: Club) -> Client:
    phone = Client()
    phone.get(link(club))
    assert phone.post(reverse("stables:take_over"), {"as": "guest"}).status_code == 302
    return phone


def test_a_link_opens_the_stable_on_any_phone(club: Club) -> None:
    address = link(club)
    phone = Client()
    opening = phone.get(address)
    page = phone.get(opening["Location"])
    assert all("no-store" in response["Cache-Control"] for response in (opening, page))
    # The page with the form has no code in its address, and with "no-referrer" a browser could not send the form.
    assert [response["Referrer-Policy"] for response in (opening, page)] == ["no-referrer", "same-origin"]
    assert "Play as a guest on this phone" in page.content.decode()
    assert stable(club).owner is None
    answer = phone.post(reverse("stables:take_over"), {"as": "guest"}, follow=True)
    assert "yours" in answer.content.decode()
    assert stable(club).owner.is_guest
    assert phone.session.get_expiry_age() > 80 * 24 * 3600
    again = Client().get(address)
    assert (again.status_code, again.context["code"]) == (409, "link_used")


def test_o_m2_the_page_of_another_link_says_which_stable_a_guests_phone_gives_up(club: Club) -> None:
    phone = seated(club)
    match = club.fixture("anna", "ben")
    about = {"stable_id": club.stable_id("anna"), "fixture_id": match.pk, "reason": "ill"}
    made = standing_in.make_link(**about, user=club.people["organiser"])
    for client, is_warned in ((phone, True), (Client(), False)):
        page = client.get(reverse("stables:open_link", args=[made.code]), follow=True)
        assert page.status_code == 200
        assert (page.context["loses"] == stable(club)) == is_warned
        assert (reverse("stables:claim_stable", args=[club.season.slug, stable(club).slug]) in page.text) == is_warned
    renewed = phone.get(link(club), follow=True)
    assert renewed.context["loses"] is None, "the same stable again"


def test_a_person_with_an_account_is_no_guest(club: Club) -> None:
    client = club.client("spectator")
    client.get(link(club))
    assert "as a guest on" not in client.get(reverse("stables:take_over")).content.decode()
    client.post(reverse("stables:take_over"), {"as": "guest"})
    assert stable(club).owner == club.people["spectator"]


def test_a_guest_does_what_owners_do_and_nothing_of_accounts(club: Club) -> None:
    phone = seated(club)
    of_stable = [club.season.slug, club.stables["machines"].slug]
    for name in ("stable", "market", "garage", "line_ups", "claim_stable"):
        assert phone.get(reverse(f"stables:{name}", args=of_stable)).status_code == 200, name
    others = [club.season.slug, club.stables["ben"].slug]
    assert phone.get(reverse("stables:market", args=others)).status_code == 403
    for name in ("people:account", "people:tokens", "catalogue:collections", "stables:open_season"):
        refused = phone.get(reverse(name))
        assert (refused.status_code, refused.context["code"]) == (403, "guest_may_not"), name
    assert phone.get(reverse("people:kept")).status_code == 200
    assert phone.post(reverse("people:own_data")).status_code == 200
    asked = phone.post(reverse("stables:solo"), {})
    assert (asked.status_code, asked.context["code"]) == (403, "guest_may_not")
    program = phone.post("/api/v1/matches/", {}, content_type="application/json")
    assert (program.status_code, program.json()["code"]) == (403, "guest_may_not")
    assert phone.get("/api/v1/me/tokens/").status_code == 403
    assert phone.post(reverse("stables:withdraw", args=others), {"sure": "yes"}).status_code == 403
    assert phone.post(reverse("stables:withdraw", args=of_stable), {"sure": "yes"}).status_code == 302
    assert stable(club).left_in_cycle == 1


def test_a_guests_phone_gets_messages_until_another_phone_or_an_account_has_the_stable(
    club: Club, push_browser: Browser
) -> None:
    phone = seated(club)
    push = reverse("people:push")
    for page in (stable(club).get_absolute_url(), reverse("people:notices")):
        assert f'href="{push}"' in phone.get(page).text
    shown = phone.get(push, secure=True).text
    assert "to another phone or to an account" in shown
    assert reverse("people:account") not in shown
    assert phone.post(push, push_browser.form, secure=True).status_code == 302
    coming.ask(season_id=club.season.pk, at=timezone.now() + timedelta(days=2), user=club.people["organiser"])
    scan_for_pushes()
    run_pending()
    [message] = push_browser.messages()
    assert "asks whether you come" in message["body"]
    guest = stable(club).owner
    made = phone.post(reverse("stables:claim_stable", args=[club.season.slug, stable(club).slug])).context["link"]
    account = club.client("spectator")
    account.get(made)
    assert account.post(reverse("stables:take_over")).status_code == 302
    assert not guest.push_subscriptions.exists()


def test_whatever_is_not_named_is_closed_to_the_acts_of_a_guest(club: Club) -> None:
    """Outside the guest's season and events every address refuses a POST, whether or not somebody thought of guests."""
    phone = seated(club)
    texts = {"str": "x", "slug": "x", "int": "1", "uuid": "0" * 8 + "-" + "-".join(["0" * 4] * 3) + "-" + "0" * 12}
    for name, parameters in named_patterns():
        if name.startswith(("admin:", middleware.OF_EVENTS)) or name in middleware.ACTS_ANYWHERE:
            continue
        if middleware.SEASON in parameters:
            continue
        for chosen in texts.values():
            filled = dict.fromkeys(parameters, chosen)
            try:
                address = reverse(name, kwargs=filled)
            except LookupError:
                continue
            except Exception as error:
                if type(error).__name__ != "NoReverseMatch":
                    raise
                continue
            status = phone.post(address).status_code
            assert status in (403, 405), (name, status)
            break


def test_every_name_for_guests_is_an_address() -> None:
    known = {name for name, _ in named_patterns()} | _api_names()
    listed = middleware.READS_OF_PEOPLE | middleware.OWN_READS | middleware.ACTS_ANYWHERE
    assert sorted(listed - known) == []
    assert sorted(middleware.NOT_FOR_GUESTS - {name.partition(":")[2] for name in known}) == []


def _api_names() -> set[str]:
    found = set()
    waiting = [each for each in get_resolver().url_patterns]
    while waiting:
        each = waiting.pop()
        waiting += getattr(each, "url_patterns", [])
        if getattr(each, "name", None):
            found.add(f"api:{each.name}")
    return found


def test_a_guest_claims_the_stable_with_an_account(club: Club) -> None:
    phone = seated(club)
    address = reverse("stables:claim_stable", args=[club.season.slug, club.stables["machines"].slug])
    assert club.client("ben").get(address).status_code == 403
    assert Client().get(address).status_code == 302
    made = phone.post(address)
    assert (made["Referrer-Policy"], "no-store" in made["Cache-Control"]) == ("same-origin", True)
    phone.post(reverse("people:log_out"), {"sure": "yes"})
    asked = phone.get(made.context["link"], follow=True).content.decode()
    assert "The guest who plays this stable made the link for an account." in asked
    assert "An organiser passes this stable on." not in asked
    phone.force_login(club.people["spectator"])
    assert phone.post(reverse("stables:take_over")).status_code == 302
    assert stable(club).owner == club.people["spectator"]
    assert not User.objects.filter(is_guest=True, is_active=True).exists()


def test_a_stable_of_an_account_has_no_button_for_a_guest(club: Club) -> None:
    of_ben = reverse("stables:manage", args=[club.season.slug, club.stables["ben"].slug])
    assert 'value="seat_guest"' not in club.client("organiser").get(of_ben).content.decode()
    assert 'value="seat_guest"' in club.client("organiser").get(manage(club)).content.decode()
    refused = club.client("organiser").post(of_ben, SEAT)
    assert refused.status_code == 409
    assert "belongs to an account" in refused.context["problem"]


def test_a_guest_is_asked_before_the_phone_forgets_them(club: Club) -> None:
    phone = seated(club)
    asked = phone.post(reverse("people:log_out"))
    page = asked.content.decode()
    claim = reverse("stables:claim_stable", args=[club.season.slug, club.stables["machines"].slug])
    assert (asked.status_code, claim in page, "only an organiser does" in page) == (200, True, True)
    assert phone.get(claim).status_code == 200
    assert phone.post(reverse("people:log_out"), {"sure": "yes"}).status_code == 302
    assert phone.get(claim).status_code == 302
    assert club.client("ben").post(reverse("people:log_out")).status_code == 302


def test_links_for_guests_have_a_code_for_the_camera(club: Club) -> None:
    page = club.client("organiser").post(manage(club), SEAT).content.decode()
    assert 'class="qr"' in page
    address = reverse("stables:claim_stable", args=[club.season.slug, club.stables["machines"].slug])
    phone = seated(club)
    assert 'class="qr"' not in phone.get(address).content.decode()
    assert 'class="qr"' in phone.post(address).content.decode()
