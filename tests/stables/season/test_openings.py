"""A season that a person opens on the site, and the way of a newcomer through it to the purse."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from jobs.services import run_pending
from people.models import Notice
from rules.campaign.classes import WEIGHT_CLASSES
from rules.campaign.market.prices import price_of
from stables.models import Season, Stable
from stables.selectors.definitions import catalogue_of
from stables.services.season import floods, opening
from tests.stables.shown_again import as_it_stands, says

ADDRESS = "/open-a-season/"
FIELDS = {"name": "Club  night", "weight_class": "light", "ai_stables": "3"}

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def newcomer(release: Any) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("newcomer", "newcomer@example.org", "-"))
    return client


def test_only_people_who_are_logged_in_open_seasons(release: Any, client: Client) -> None:
    page = client.get(ADDRESS)
    assert (page.status_code, page["Location"]) == (302, f"{reverse('people:log_in')}?next={ADDRESS}")
    assert client.post(ADDRESS, FIELDS).status_code == 302
    assert Season.objects.count() == 0


def test_the_form_offers_what_is_built(newcomer: Client) -> None:
    page = newcomer.get(ADDRESS)
    assert page.status_code == 200
    assert [key for key, _ in page.context["form"].fields["weight_class"].choices] == [*WEIGHT_CLASSES, "multi"]
    assert newcomer.put(ADDRESS).status_code == 405


def test_a_season_opened_by_the_form_recruits_with_stables_of_the_ai(newcomer: Client) -> None:
    answer = newcomer.post(ADDRESS, {**FIELDS, "loser_keeps_reputation": "no", "absence_pays": "30"})
    season = Season.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, season.get_absolute_url())
    assert (season.name, season.state, season.organiser.username) == ("Club night", "recruiting", "newcomer")
    assert (season.rules.loser_keeps_reputation, season.rules.absence_pays) == (False, 30)
    assert list(season.stables.values_list("name", "is_ai")) == [(name, True) for name in opening.NAMES[:3]]
    assert season.cycles.get().format == "standard"


def test_what_the_form_preselects_is_the_default(newcomer: Client) -> None:
    answer = newcomer.post(ADDRESS, {**FIELDS, "ai_stables": 0})
    season = Season.objects.get()
    assert answer.status_code == 302
    assert (season.rules.loser_keeps_reputation, season.rules.absence_pays) == (True, 0)
    assert season.stables.count() == 0
    page = newcomer.get(ADDRESS).content.decode()
    asked = page.split('name="loser_keeps_reputation"')[1].split("</select>")[0]
    assert '<option value="yes" selected>' in asked
    assert '<option value="no">' in asked


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": "  "}, "season_name_missing"),
        ({"name": "x" * 81}, "season_name_missing"),
        ({"name": "\u200b"}, "season_name_missing"),
        ({"name": "\u3164"}, "season_name_missing"),
        ({"name": "\u2800"}, "season_name_missing"),
        ({"weight_class": "colossal"}, "setting_out_of_range"),
        ({"weight_class": ""}, "setting_out_of_range"),
        ({"ai_stables": "8"}, "ai_stables_out_of_range"),
        ({"ai_stables": "many"}, "not_a_number"),
        ({"absence_pays": "31"}, "setting_out_of_range"),
        ({"loser_keeps_reputation": "perhaps"}, "setting_out_of_range"),
    ],
)
def test_what_cannot_be_read_is_400_and_opens_nothing(newcomer: Client, change: dict[str, str], code: str) -> None:
    answer = newcomer.post(ADDRESS, {**FIELDS, **change})
    assert (answer.status_code, says(answer, code)) == (400, True)
    assert Season.objects.count() == 0


def test_one_organiser_does_not_flood_the_list(newcomer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floods, "MOST_RECRUITING", 2)
    for number in (1, 2):
        assert newcomer.post(ADDRESS, {**FIELDS, "name": f"Season {number}"}).status_code == 302
    answer = newcomer.post(ADDRESS, FIELDS)
    assert (answer.status_code, says(answer, "too_many_seasons_recruiting")) == (409, True)
    Season.objects.filter(name="Season 1").update(state=Season.State.FINISHED)
    assert newcomer.post(ADDRESS, FIELDS).status_code == 302


def test_the_running_seasons_of_an_organiser_are_bounded(newcomer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the AI alone keeps the workers as busy as any other."""
    monkeypatch.setattr(floods, "MOST_RUNNING", 1)
    for name in ("First", "Second"):
        newcomer.post(ADDRESS, {**FIELDS, "name": name, "ai_stables": "2"})
    first, second = Season.objects.order_by("pk")
    starts = [reverse("stables:start_season", args=[season.slug]) for season in (first, second)]
    assert newcomer.post(starts[0]).status_code == 302
    answer = newcomer.post(starts[1])
    assert (answer.status_code, answer.context["code"]) == (409, "too_many_seasons_running")
    second.refresh_from_db()
    assert second.state == Season.State.RECRUITING
    Season.objects.filter(pk=first.pk).update(state=Season.State.FINISHED)
    assert newcomer.post(starts[1]).status_code == 302


def test_the_names_leave_room_for_people_and_differ() -> None:
    assert len(set(opening.NAMES)) == len(opening.NAMES) == 7


def crew_to_buy(season: Season) -> tuple[str, str]:
    """The cheapest unit of the class and the cheapest pilot for it."""
    catalogue = catalogue_of(season)
    units = [unit for unit in catalogue.units.values() if unit["class"] == "light"]
    pilots = [pilot for pilot in catalogue.pilots.values() if "light" in pilot["requires"]["class"]]
    return tuple(
        min(found, key=lambda entry: price_of(kind, entry))["id"]
        for kind, found in (("unit", units), ("pilot", pilots))
    )  # type: ignore[return-value]


def test_a_newcomer_sees_a_cycle_played_with_forms_alone(newcomer: Client) -> None:
    newcomer.post(ADDRESS, {**FIELDS, "format_standard": "yes", "closing_hours": "0"})
    season = Season.objects.get()
    own = newcomer.post(reverse("stables:found_stable", args=[season.slug]), {"name": "New Works"})["Location"]
    for kind, key in zip(("unit", "pilot"), crew_to_buy(season), strict=True):
        assert newcomer.post(f"{own}buy", {"kind": kind, "key": key}).status_code == 302
    assert newcomer.post(reverse("stables:start_season", args=[season.slug])).status_code == 302
    run_pending()
    handed_in = 0
    while (form := newcomer.get(own).context["line_up"]) is not None:
        if form["crews"]:
            fields = as_it_stands(form["form"])
            assert newcomer.post(f"{own}line-up", fields).status_code == 302
            handed_in += 1
        else:
            newcomer.post(reverse("stables:call_time", args=[season.slug]))
        run_pending()
        newcomer.post(f"{own}repair-all")
    assert handed_in
    season.refresh_from_db()
    stable = Stable.objects.get(name="New Works")
    assert (season.state, season.cycles.get().state) == ("finished", "closed")
    assert stable.ledger.filter(cause="purse").count() == 1
    placing = stable.placings.get()
    notice = Notice.objects.get(code="cycle_closed")
    assert (notice.user, notice.code, notice.url) == (stable.owner, "cycle_closed", own)
    assert notice.parameters == {
        "season": "Club night", "cycle": 1, "place": placing.place, "purse": placing.purse,
    }  # fmt: skip
    page = newcomer.get(reverse("people:notices")).content.decode()
    assert f"Cycle 1 of Club night is closed: place {placing.place}, purse {placing.purse} Stones." in page


@pytest.mark.parametrize("tokens", [("T-001", "T-001", "T-001"), ("", "", "")])
def test_tokens_that_are_not_three_different_ones_worth_the_pool_are_refused(
    newcomer: Client, tokens: tuple[str, ...]
) -> None:
    newcomer.post(ADDRESS, {**FIELDS, "ai_stables": "1"})
    season = Season.objects.get()
    own = newcomer.post(reverse("stables:found_stable", args=[season.slug]), {"name": "New Works"})["Location"]
    for kind, key in zip(("unit", "pilot"), crew_to_buy(season), strict=True):
        newcomer.post(f"{own}buy", {"kind": kind, "key": key})
    newcomer.post(reverse("stables:start_season", args=[season.slug]))
    run_pending()
    form = newcomer.get(own).context["line_up"]
    assert len({token.value() for token in form["form"].tokens}) == 3
    fields = as_it_stands(form["form"]) | {f"token_{number}": token for number, token in enumerate(tokens, 1)}
    answer = newcomer.post(f"{own}line-up", fields)
    assert (answer.status_code, says(answer, "tokens_not_allowed")) == (409, True)
    catalogue = catalogue_of(season)
    twice = next(
        [one["id"], one["id"], other["id"]]
        for one in catalogue.target_tokens.values()
        for other in catalogue.target_tokens.values()
        if one is not other and 2 * one["rp"] + other["rp"] == form["pool"]
    )
    answer = newcomer.post(
        f"{own}line-up", fields | {f"token_{number}": token for number, token in enumerate(twice, 1)}
    )
    assert (answer.status_code, says(answer, "token_twice")) == (409, True)
