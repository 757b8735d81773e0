"""The pages of line-ups: what others see, what the form hands in, who decides."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from rules.campaign.line_ups.checks import Crew as OwnedCrew
from stables.models import Asset, Crew, FixtureSide, LineUp, SavedLineUp, Season, Stable
from stables.presenters.line_up import by_unit
from stables.services.line_ups.sealing import CrewChoice
from tests.markup import closed_up
from tests.stables.line_ups.test_line_ups import Called, submit
from tests.stables.shown_again import says

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def people(two_called: Called) -> dict[str, Any]:
    names = ("player", "rival", "organiser", "spectator")
    found = {name: get_user_model().objects.create_user(name, f"{name}@example.org", "-") for name in names}
    found["staff"] = get_user_model().objects.create_superuser("staff", "staff@example.org", "-")
    return found


def league(two_called: Called, people: dict[str, Any]) -> Called:
    season, mine, other, owned = two_called
    Season.objects.filter(pk=season.pk).update(organiser=people["organiser"])
    for side, name in ((mine, "player"), (other, "rival")):
        Stable.objects.filter(pk=side.stable_id).update(owner=people[name], is_ai=False)
    return season, mine, other, owned


OPEN = r'csrfmiddlewaretoken" value="[^"]+"|line-up is (in|awaited)|class="tag[^"]*"|Waiting for line-ups from:.*'


"""What differs from one visit to the next, and that a line-up is in, which everybody may know."""


def pages(client: Client, season: Season, side: FixtureSide) -> str:
    """All that a person can see of a season before a fixture's reveal, without what is open."""
    own = season.get_absolute_url()
    stables = [stable.get_absolute_url() for stable in season.stables.select_related("season")]
    listed = [f"{address}{page}" for address in stables for page in ("", "market/", "garage/", "line-ups/")]
    admin = [f"/admin/stables/fixture/{side.fixture_id}/change/", "/admin/stables/fixture/"]
    seen = ""
    for address in [own, f"{own}standings/", f"{own}fixtures/{side.fixture_id}/", *listed, *admin]:
        answer = client.get(address)
        if answer.status_code == 200:
            seen += answer.content.decode()
    return re.sub(OPEN, "", closed_up(seen))


@pytest.mark.parametrize("person", [None, "rival", "organiser", "spectator", "staff"])
def test_q_153_nothing_of_a_line_up_is_seen_by_others_before_the_reveal(
    two_called: Called, people: dict[str, Any], person: str | None
) -> None:
    season, mine, _, owned = league(two_called, people)
    client = Client()
    if person is not None:
        client.force_login(people[person])
    before = pages(client, season, mine)
    assert before
    submit(mine, season, CrewChoice(owned["unit"], owned["pilot"], None, (owned["card"],)))
    assert pages(client, season, mine) == before


def test_the_owner_sees_what_they_sealed(two_called: Called, people: dict[str, Any]) -> None:
    season, mine, _, owned = league(two_called, people)
    client = Client()
    client.force_login(people["player"])
    submit(mine, season, CrewChoice(owned["unit"], owned["pilot"], None, (owned["card"],)))
    page = client.get(f"{mine.stable.get_absolute_url()}line-ups/").content.decode()
    for asset_id in (owned["unit"], owned["pilot"], owned["gear"], owned["card"]):
        assert Asset.objects.get(pk=asset_id).label in page.replace("&quot;", '"')


def address(side: FixtureSide, name: str) -> str:
    return f"{side.stable.get_absolute_url()}{name}"


def test_the_form_hands_in_what_it_shows_and_saves_it(two_called: Called, people: dict[str, Any]) -> None:
    _, mine, _, _ = league(two_called, people)
    client = Client()
    client.force_login(people["player"])
    page = client.get(address(mine, "line-ups/")).content.decode()
    fields = {
        name: re.search(r'value="([^"]*)" selected', select).group(1)  # type: ignore[union-attr]
        for name, select in re.findall(r'<select[^>]* name="([a-z_0-9]+)"[^>]*>(.*?)</select>', page, re.S)
        if " selected" in select
    }
    assert {"crew", "hand_1", "hand_2", "token_1", "token_2", "token_3"} <= set(fields)
    kind = {"match_class": "light", "format": "standard"}
    answer = client.post(address(mine, "line-up/save"), fields | kind)
    assert (answer.status_code, answer["Location"]) == (302, address(mine, "line-ups/"))
    saved = SavedLineUp.objects.get()
    assert [crew["unit"] for crew in saved.document["crews"]] == [int(fields["crew"].split("-")[0])]
    assert client.get(address(mine, "line-ups/?class=light&format=standard")).status_code == 200
    assert client.post(address(mine, "line-up"), fields).status_code == 302
    crew = Crew.objects.get()
    assert f"{crew.unit_id}-{crew.pilot_id}" == fields["crew"].rpartition("-")[0]
    assert crew.cards.filter(asset__kind="rally_card").count() == 2
    assert client.post(address(mine, "line-up/delete"), kind).status_code == 302
    assert not SavedLineUp.objects.exists()


@pytest.mark.parametrize("name", ["line-up", "line-up/save", "line-up/delete", "line-up/forfeit"])
@pytest.mark.parametrize(("person", "status"), [(None, 302), ("rival", 403), ("organiser", 403), ("spectator", 403)])
def test_only_the_owner_decides_their_line_ups(
    two_called: Called, people: dict[str, Any], name: str, person: str | None, status: int
) -> None:
    _, mine, _, _ = league(two_called, people)
    client = Client()
    if person is not None:
        client.force_login(people[person])
    assert client.post(address(mine, name), {}).status_code == status
    assert client.get(address(mine, name)).status_code in (302, 405)
    assert client.get(address(mine, "line-ups/")).status_code in (302, 403)
    assert not SavedLineUp.objects.exists()


@pytest.mark.parametrize(
    ("name", "body", "status", "code"),
    [
        ("line-up/save", {}, 400, "bad_field"),
        ("line-up/save", {"match_class": "feather", "format": "standard", "crew": "1-2"}, 400, "bad_field"),
        ("line-up/save", {"match_class": "light", "format": "duel", "crew": "1-2"}, 400, "bad_field"),
        ("line-up/save", {"match_class": "light", "format": "standard", "crew": "999999-2"}, 400, "unknown_asset"),
        ("line-up/save", {"match_class": "light", "format": "standard", "crew": "x-2"}, 400, "not_a_number"),
        ("line-up/save", {"match_class": "light", "format": "standard", "crew": "1-2-y"}, 400, "not_a_number"),
        ("line-up/delete", {"match_class": "light"}, 400, "bad_field"),
        ("line-up", {"crew": "1-2", "hand_1": "x"}, 400, "not_a_number"),
        ("line-up/forfeit", {}, 409, "duty_to_play"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(
    two_called: Called, people: dict[str, Any], name: str, body: dict[str, Any], status: int, code: str
) -> None:
    _, mine, _, _ = league(two_called, people)
    client = Client()
    client.force_login(people["player"])
    answer = client.post(address(mine, name), body)
    assert answer.status_code == status
    assert answer.context.get("code") == code or says(answer, code)
    assert (LineUp.objects.count(), SavedLineUp.objects.count()) == (0, 0)


def test_the_page_of_line_ups_takes_few_queries(
    two_called: Called, people: dict[str, Any], django_assert_max_num_queries: Any
) -> None:
    season, mine, _, owned = league(two_called, people)
    client = Client()
    client.force_login(people["player"])
    page = address(mine, "line-ups/")
    with django_assert_max_num_queries(15):
        client.get(f"{page}?class=light&format=team")
    submit(mine, season, CrewChoice(owned["unit"], owned["pilot"], None, (owned["card"],)))
    with django_assert_max_num_queries(15):
        client.get(page)


def test_who_can_field_nobody_is_led_to_the_garage_which_says_why(
    two_called: Called, people: dict[str, Any], client: Client
) -> None:
    _, mine, _other, _owned = league(two_called, people)
    Asset.objects.filter(stable_id=mine.stable_id, kind="unit").update(is_eliminated=True)
    client.force_login(people["player"])
    stable = Stable.objects.select_related("season").get(pk=mine.stable_id)
    page = client.get(stable.get_absolute_url() + "line-ups/").content.decode()
    address = f"{stable.get_absolute_url()}garage/"
    assert f'href="{address}#outlook-heading"' in page
    why = client.get(address).content.decode()
    assert 'id="outlook-heading"' in why
    assert "is eliminated" in why


def test_many_crews_stand_in_a_group_for_each_unit() -> None:
    def crews_of(units: int, pilots: int) -> tuple[list[OwnedCrew], list[tuple[str, str]]]:
        pairs = [(f"u{unit}", f"p{pilot}") for unit in range(units) for pilot in range(pilots)]
        crews = [OwnedCrew(unit, pilot, 110, by_duty=True) for unit, pilot in pairs]
        return crews, [(f"{unit}-{pilot}", f"Raven {unit} (100) + {pilot} (10) = 110") for unit, pilot in pairs]

    few = crews_of(2, 4)
    assert by_unit(*few) == few[1]
    grouped = by_unit(*crews_of(3, 6))
    assert [(name, len(choices)) for name, choices in grouped] == [("Raven u0", 6), ("Raven u1", 6), ("Raven u2", 6)]


def tokens_of(page: str) -> tuple[list[str], str]:
    """The lines of the first token's choice, and the sum that the page says."""
    [lines] = re.findall(r'<select name="token_1".*?</select>', page, re.S)
    return re.findall(r">([^<>\n]+)</option>", lines), re.findall(r"<output>(\d+)</output>", page)[0]


def test_each_target_token_says_its_worth_and_how_it_is_earned_the_dearest_first(
    two_called: Called, people: dict[str, Any]
) -> None:
    _, mine, _, _ = league(two_called, people)
    client = Client()
    client.force_login(people["player"])
    page = client.get(address(mine, "line-ups/")).content.decode()
    lines, worth = tokens_of(page)
    assert worth == "30"
    earned = "by an attack of the type “Ballistic”, otherwise 5"
    assert f"15: Armoured Camera · {earned} · defense 18 · Reflective Armor" in lines
    assert "10: Gun Turret · by any attack · defense 17 · Heavy Armor" in lines
    worths = [int(line.partition(":")[0]) for line in lines]
    assert worths == sorted(worths, reverse=True)
    assert "js/worth.js" in page


def test_refused_target_tokens_stay_in_the_form_with_their_sum(two_called: Called, people: dict[str, Any]) -> None:
    _, mine, _, owned = league(two_called, people)
    client = Client()
    client.force_login(people["player"])
    fields = {"crew": f"{owned['unit']}-{owned['pilot']}", "token_1": "T-001", "token_2": "T-003", "token_3": "T-006"}
    answer = client.post(address(mine, "line-up"), fields)
    assert says(answer, "tokens_not_allowed")
    assert tokens_of(answer.content.decode())[1] == "35"
