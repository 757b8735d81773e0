"""Before a season begins an organiser removes a stable as if it had never joined; then the place is free."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from people.models import Notice
from stables.models import Asset, LedgerEntry, LogEntry, Season, Stable, WaitingPlace
from stables.selectors.entrants import entrants
from stables.services.base.ledger import refold
from stables.services.market import trading
from stables.services.running import stables
from stables.services.season import seasons
from stables.text.log import log_sentence
from tests.stables.running.test_hand_on_stables import code_of
from tests.stables.season.test_organising import client_of, league, people, post

__all__ = ["league", "people"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_removed_stable_leaves_as_if_it_had_never_joined(league: Season, people: dict[str, Any]) -> None:
    mine = league.stables.get(owner=people["player"])
    trading.buy(stable_id=mine.pk, kind="unit", key="SOL002")
    stables.remove(stable_id=mine.pk, reason="typing error", user=people["helper"])
    assert [each.name for each in league.stables.all()] == ["Machines"]
    assert [each.name for each in entrants(league, 1)] == ["Machines"]
    assert not Asset.objects.filter(stable=mine.pk).exists()
    told = Notice.objects.get(user=people["player"])
    assert (told.code, told.parameters["reason"]) == ("stable_removed", "typing error")
    # Its ledger stays in the books, and they still add up.
    assert LedgerEntry.objects.filter(stable=mine.pk).count() == 2
    assert refold(season_id=league.pk) == []
    again = seasons.found_stable(season_id=league.pk, name="Own Works", owner=people["player"])
    assert (again.slug, again.number) == (mine.slug, mine.number)


def test_stables_of_the_ai_are_removed_too(league: Season, people: dict[str, Any]) -> None:
    stables.remove(stable_id=league.stables.get(is_ai=True).pk, reason="agreed", user=people["organiser"])
    line = LogEntry.objects.get(code="stable_removed")
    assert "Machines" in log_sentence(line.code, line.parameters)
    assert not Notice.objects.exists()


@pytest.mark.parametrize("state", ["running", "sudden_death", "finished", "cancelled"])
def test_a_stable_of_a_season_that_has_begun_stays(league: Season, people: dict[str, Any], state: str) -> None:
    Season.objects.filter(pk=league.pk).update(state=state)
    mine = league.stables.get(owner=people["player"])
    assert code_of(stables.remove, stable_id=mine.pk, reason="-", user=people["organiser"]) == "stable_stays"
    assert Stable.objects.filter(pk=mine.pk).exists()


@pytest.mark.parametrize("name", ["player", "referee", "spectator"])
def test_only_organisers_remove(league: Season, people: dict[str, Any], name: str) -> None:
    with pytest.raises(PermissionDenied):
        stables.remove(stable_id=league.stables.get(number=1).pk, reason="-", user=people[name])
    assert code_of(stables.remove, stable_id=league.stables.get(number=1).pk, reason=" ", user=people["organiser"]) == (
        "reason_missing"
    )
    assert league.stables.count() == 2


@pytest.fixture(scope="module")
def opened(django_db_blocker: Any, club_opened: Enters) -> Iterator[Club]:
    with inside(django_db_blocker, club_opened) as made:
        yield made


@pytest.fixture
def club(db: None, opened: Club) -> Club:
    return deepcopy(opened)


def manage(club: Club, act: str, of: str = "ben", by: str | None = "organiser", **fields: Any) -> Any:
    fields = {"act": act, "reason": "agreed", **fields}
    return club.client(by).post(address(club, "manage", of), fields)


def address(club: Club, name: str, of: str = "ben") -> str:
    return reverse(f"stables:{name}", args=[club.season.slug, club.stables[of].slug])


def of(club: Club, name: str = "ben") -> Stable:
    return Stable.objects.get(pk=club.stable_id(name))


# The form -------------------------------------------------------------------------------------------------------------


def test_the_console_has_a_form_for_each_stable_that_has_not_left(club: Club) -> None:
    Stable.objects.filter(pk=club.stable_id("carla")).update(left_in_cycle=1)
    html = club.client("organiser").get(reverse("stables:console", args=[club.season.slug])).content.decode()
    forms = [name for name in club.stables if f'action="{address(club, "manage", name)}"' in html]
    assert forms == ["anna", "ben", "machines"]
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("of_whom", "acts"), [
    ("ben", {"hand_to_ai", "pass_to", "make_link", "withdraw"}), ("machines", {"pass_to", "make_link", "withdraw"}),
])  # fmt: skip
def test_a_page_offers_what_can_be_done(club: Club, of_whom: str, acts: set[str]) -> None:
    html = club.client("organiser").get(address(club, "manage", of_whom)).content.decode()
    assert set(re.findall(r'name="act" value="(\w+)"', html)) == acts


def test_each_button_does_its_act(club: Club) -> None:
    until = in_zone(timezone.now() + timedelta(days=3))
    assert manage(club, "hand_to_ai", to=until, spending_limit="50").status_code == 302
    assert HandOver.objects.get(ended_at=None).spending_limit == 50
    assert 'value="take_back"' in club.client("organiser").get(address(club, "manage")).content.decode()
    assert manage(club, "take_back").status_code == 302
    assert not HandOver.objects.filter(ended_at=None).exists()
    assert manage(club, "pass_to", name="spectator").status_code == 302
    assert of(club).owner == club.people["spectator"]
    assert manage(club, "withdraw", sure="yes").status_code == 302
    assert of(club).left_in_cycle == 1
    assert "has left" in club.client("organiser").get(address(club, "manage")).content.decode()


def test_a_stable_is_removed_on_its_page(league: Season, people: dict[str, Any]) -> None:
    mine = league.stables.get(owner=people["player"])
    page = reverse("stables:manage", args=[league.slug, mine.slug])
    answer = client_of(people["helper"]).post(page, {"act": "remove", "words": "spam", "sure": "yes"})
    assert answer.status_code == 302
    assert not league.stables.filter(owner=people["player"]).exists()


@pytest.mark.parametrize(("fields", "status", "says"), [
    ({"act": "withdraw"}, 409, "Tick that you are sure"),
    ({"act": "withdraw", "reason": "", "sure": "yes"}, 400, "Give a reason"),
    ({"act": "hand_to_ai", "to": ""}, 400, "Until"),
    ({"act": "pass_to", "name": "anna"}, 409, "owns a stable"),
    ({"act": "pass_to", "name": "nobody"}, 400, "no account"),
    ({"act": "eat"}, 400, "act"),
    ({"act": "remove", "sure": "yes"}, 409, "cannot be removed"),
])  # fmt: skip
def test_a_refused_form_is_shown_again_as_it_was_typed(
    club: Club, fields: dict[str, str], status: int, says: str
) -> None:
    answer = manage(club, **{"words": "kept & safe", **fields})
    html = answer.content.decode()
    assert (answer.status_code, says in html) == (status, True)
    assert 'value="kept &amp; safe"' in html
    assert (of(club).owner, of(club).left_in_cycle) == (club.people["ben"], None)


@pytest.mark.parametrize(("by", "status"), [(None, 302), ("ben", 403), ("spectator", 403)])
def test_only_organisers_manage(club: Club, by: str | None, status: int) -> None:
    assert manage(club, "withdraw", by=by, sure="yes").status_code == status
    assert club.client(by).get(address(club, "manage")).status_code == status
    assert of(club).left_in_cycle is None


def test_the_page_of_a_stable_leads_its_organisers_to_the_form(club: Club) -> None:
    page = address(club, "stable")
    shown = {name: address(club, "manage") in club.client(name).get(page).content.decode() for name in
             ("organiser", "ben", "anna", None)}  # fmt: skip
    assert shown == {"organiser": True, "ben": False, "anna": False, None: False}


# A link ---------------------------------------------------------------------------------------------------------------


def link_of(club: Club) -> str:
    found = re.search(r">http://testserver(/stable-links/[^<]+)</textarea>", manage(club, "make_link").content.decode())
    assert found is not None
    return found[1]


def test_a_link_is_shown_once_opened_and_confirmed(club: Club) -> None:
    link = link_of(club)
    assert link not in club.client("organiser").get(address(club, "manage")).content.decode()
    client = club.client("spectator")
    opening = client.get(link)
    assert (opening.status_code, opening["Location"]) == (302, "/stable-link/")
    assert (opening["Referrer-Policy"], "no-store" in opening["Cache-Control"]) == ("no-referrer", True)
    page = client.get("/stable-link/")
    assert ("Stable of ben" in page.content.decode(), "no-store" in page["Cache-Control"]) == (True, True)
    assert of(club).owner == club.people["ben"]
    assert client.post("/stable-link/")["Location"] == of(club).season.get_absolute_url() + "stables/stable-of-ben/"
    assert of(club).owner == club.people["spectator"]
    assert (client.get(link).status_code, client.get("/stable-link/").status_code) == (409, 400)


def test_a_visitor_logs_in_before_they_confirm(club: Club) -> None:
    link, client = link_of(club), Client()
    client.get(link)
    assert "log-in" in client.get("/stable-link/").content.decode()
    assert "next=/stable-link/" in client.post("/stable-link/")["Location"]
    client.login(username="spectator", password="-")
    assert client.post("/stable-link/").status_code == 302
    assert of(club).owner == club.people["spectator"]


def test_nobody_confirms_a_link_that_they_did_not_open(club: Club) -> None:
    link_of(club)
    answer = club.client("spectator").post("/stable-link/", {"opened_link": Passing.objects.get().pk})
    assert (answer.status_code, answer.context["code"]) == (400, "unknown_passing")


def test_a_link_is_taken_back_on_the_page(club: Club) -> None:
    link, known = link_of(club), Passing.objects.get()
    assert club.client("ben").post(address(club, "revoke_link"), {"link": known.pk}).status_code == 403
    assert club.client("organiser").post(address(club, "revoke_link"), {"link": known.pk}).status_code == 302
    answer = club.client("spectator").get(link)
    assert (answer.status_code, answer.context["code"]) == (409, "link_revoked")


# The old owner's open pages -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_the_old_owner_reads_that_the_stable_has_passed_on(club: Club, visibility: str) -> None:
    Season.objects.filter(pk=club.season.pk).update(visibility=visibility)
    fixture, ben = club.fixture("anna", "ben"), club.client("ben")
    passing.pass_to(stable_id=club.stable_id("ben"), name="spectator", reason="left", user=club.people["organiser"])
    slugs = {"season_slug": club.season.slug}
    below = {**slugs, "stable_slug": club.stables["ben"].slug}
    for answer in (
        ben.post(reverse("stables:buy", kwargs=below), {"kind": "unit", "key": "SOL002"}),
        ben.post(reverse("stables:withdraw", kwargs=below), {"sure": "yes"}),
        ben.post(reverse("stables:propose_appointment", kwargs={**slugs, "fixture_id": fixture.pk}), {"mode": "ai"}),
    ):
        assert (answer.status_code, answer.context["code"]) == (409, "stable_passed_on")
    refused = ben.post(reverse("api:stables_withdraw", kwargs=below), {"sure": True}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "stable_passed_on")
    # A rival, and a person who never owned it, are refused as ever.
    other = club.client("carla").post(reverse("stables:withdraw", kwargs=below), {"sure": "yes"})
    assert other.status_code == 403
    assert of(club).left_in_cycle is None


def test_the_owner_of_a_removed_stable_reads_so(league: Season, people: dict[str, Any]) -> None:
    mine = league.stables.get(owner=people["player"])
    below = {"season_slug": league.slug, "stable_slug": mine.slug}
    stables.remove(stable_id=mine.pk, reason="-", user=people["organiser"])
    player = client_of(people["player"])
    for answer in (
        player.get(reverse("stables:stable", kwargs=below)),
        player.post(reverse("stables:say_ready", kwargs=below)),
    ):
        assert (answer.status_code, answer.context["code"]) == (409, "stable_removed")
    assert client_of(people["spectator"]).get(reverse("stables:stable", kwargs=below)).status_code == 404


# The waiting list -----------------------------------------------------------------------------------------------------


def test_a_person_waits_is_offered_a_place_and_takes_it(league: Season, people: dict[str, Any]) -> None:
    Season.objects.filter(pk=league.pk).update(settings={**league.settings, "places": 2}, joining="open")
    page = reverse("stables:season", args=[league.slug])
    waits, spectator = reverse("stables:wait", args=[league.slug]), client_of(people["spectator"])
    assert waits in spectator.get(page).content.decode()
    assert waits not in client_of(people["player"]).get(page).content.decode()
    own = spectator.post(waits)["Location"]
    place = WaitingPlace.objects.get(user=people["spectator"])
    assert own == f"/waiting/{place.pk}/"
    assert "0 people are before you" in spectator.get(own).content.decode()
    assert client_of(people["player"]).get(own).status_code == 404
    stables.remove(stable_id=league.stables.get(is_ai=True).pk, reason="-", user=people["organiser"])
    assert "A place is free for you" in spectator.get(own).content.decode()
    assert waits in client_of(people["referee"]).get(page).content.decode()
    spectator.post(own, {"name": "Waited Works"})
    assert league.stables.get(owner=people["spectator"]).name == "Waited Works"
    assert spectator.get(own).status_code == 404


def test_a_person_leaves_the_list_and_an_organiser_passes_one_over(league: Season, people: dict[str, Any]) -> None:
    Season.objects.filter(pk=league.pk).update(settings={**league.settings, "places": 2}, joining="open")
    for name in ("spectator", "referee"):
        client_of(people[name]).post(reverse("stables:wait", args=[league.slug]))
    first, second = league.waiting.order_by("id")
    client_of(people["spectator"]).post(reverse("stables:leave_list", args=[first.pk]))
    assert list(league.waiting.all()) == [second]
    listed = client_of(people["organiser"]).get(reverse("stables:waiting_list", args=[league.slug]))
    assert "referee" in listed.content.decode()
    again = post(league, people["organiser"], "pass_over", place=second.pk, reason="")
    assert (again.status_code, f'value="{second.pk}" required\n                     checked' in again.content.decode()) == (
        400, True,
    )  # fmt: skip
    assert post(league, people["player"], "pass_over", place=second.pk, reason="agreed").status_code == 403
    assert post(league, people["organiser"], "pass_over", place=second.pk, reason="agreed").status_code == 302
    assert not league.waiting.exists()


# Name, class, copy ----------------------------------------------------------------------------------------------------


def test_a_season_is_copied_renamed_and_its_class_stays(league: Season, people: dict[str, Any]) -> None:
    made = post(league, people["organiser"], "copy_season", name="")
    draft = Season.objects.get(state="draft")
    assert made["Location"] == reverse("stables:console", args=[draft.slug])
    html = client_of(people["organiser"]).get(made["Location"]).content.decode()
    assert reverse("stables:change_class", args=[draft.slug]) in html
    assert post(draft, people["organiser"], "change_class", weight_class="heavy").status_code == 302
    assert post(draft, people["organiser"], "rename_season", name="Right name").status_code == 302
    draft = Season.objects.get(pk=draft.pk)
    assert (draft.name, draft.rules.weight_class) == ("Right name", "heavy")
    refused = post(league, people["helper"], "change_class", weight_class="heavy")
    assert (refused.status_code, refused.context["code"]) == (409, "setting_fixed")
    for name in ("copy_season", "rename_season", "change_class"):
        assert post(league, people["player"], name, name="X").status_code == 403
