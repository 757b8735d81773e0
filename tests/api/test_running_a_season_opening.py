"""Opening seasons by the interface: settings with their ranges, drafts, once by a key, again, collections."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from catalogue.models import Collection
from rules.campaign.classes import FORMATS
from rules.campaign.season.settings import SeasonSettings
from rules.solaris.house_rules import HouseRules
from stables.models import Season, SeasonRole
from tests.web.roles.world import World

pytestmark = pytest.mark.django_db

LIGHT = {"weight_class": "light"}
SWITCH = "settings.house_rules."


def a_season(**more: Any) -> dict[str, Any]:
    return {"name": "Spring Circuit", "settings": LIGHT, **more}


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_season_is_opened_with_all_that_was_asked_for(world: World, api: Any) -> None:
    settings = {
        "weight_class": "medium",
        "cycles": ["team", "standard"],
        "places": 6,
        "absence_pays": 10,
        "loser_keeps_reputation": False,
        "house_rules": {"pilot_death": True, "rally_cards": True, "dig_in_target_modifier": -1},
    }
    calendar = {"preset": "weekly", "time_zone": "Europe/Berlin", "mode": "table", "weekday": 2, "play_hours": 50}
    more = {"ai_stables": 2, "calendar": calendar, "joining": "invited", "visibility": "unlisted"}
    answer = api("spectator", "post", "seasons/", a_season(settings=settings, **more))
    assert answer.status_code == 201, answer.content
    season = Season.objects.get(slug=answer.json()["slug"])
    assert answer.headers["Location"] == "/api/v1/seasons/spring-circuit/"
    assert (season.organiser, season.state) == (world.people["spectator"], "recruiting")
    assert (season.joining, season.visibility, season.stables.count()) == ("invited", "unlisted", 2)
    rules = season.rules
    assert (rules.weight_class, rules.cycles, rules.places) == ("medium", ("team", "standard"), 6)
    assert (rules.absence_pays, rules.loser_keeps_reputation) == (10, False)
    assert rules.house_rules == {"pilot_death": True, "dig_in_target_modifier": -1}, "mere defaults are not kept"
    kept = {key: season.calendar[key] for key in ("preset", "time_zone", "mode", "weekday", "play_hours", "at")}
    assert kept == {**calendar, "at": "20:00"}, "what was left out is the preset's"
    assert answer.json()["settings"] == season.settings
    assert answer.json()["calendar"] == season.calendar


def test_the_organiser_chooses_who_plays_for_the_stables_of_the_ai(api: Any) -> None:
    for sent, bot in (({"ai_bot": "quick"}, "quick"), ({}, "greedy")):
        answer = api("player", "post", "seasons/", a_season(ai_stables=2, **sent))
        stables = Season.objects.get(slug=answer.json()["slug"]).stables
        assert list(stables.values_list("bot", flat=True)) == [bot, bot]


def test_what_is_left_out_is_as_the_description_says(world: World, api: Any) -> None:
    answer = api("player", "post", "seasons/", a_season())
    season = Season.objects.get(slug=answer.json()["slug"])
    wanted = {**SeasonSettings(weight_class="light").to_json(), "loser_keeps_reputation": True, "absence_pays": 0}
    assert season.settings == wanted
    assert (season.calendar, season.joining, season.visibility, season.stables.count()) == ({}, "open", "public", 0)


def test_every_setting_and_every_switch_may_be_sent_by_its_public_key() -> None:
    from stables.api.organising.settings import ChangedSettingsInput, SeasonSettingsInput

    known = {field.name: field.default for field in fields(SeasonSettings)}
    for form in (SeasonSettingsInput, ChangedSettingsInput):
        asked = form().fields
        assert set(asked) == set(known)
        assert set(asked["house_rules"].fields) == {field.name for field in fields(HouseRules)}
    defaults = {key: field.default for key, field in SeasonSettingsInput().fields.items() if key in ("places", "dials")}
    assert defaults == {"places": known["places"], "dials": known["dials"]}
    switches = SeasonSettingsInput().fields["house_rules"].fields
    assert {key: field.default for key, field in switches.items()} == HouseRules().to_json()


def test_the_description_has_types_ranges_and_defaults() -> None:
    from tests.api.described import description

    schemas = description()["components"]["schemas"]
    settings = schemas["SeasonSettingsInputRequest"]["properties"]
    assert {key: settings["places"][key] for key in ("type", "minimum", "maximum", "default")} == {
        "type": "integer", "minimum": 2, "maximum": 8, "default": 8,
    }  # fmt: skip
    assert settings["matches_per_cycle"]["type"] == ["integer", "null"]
    assert settings["loser_keeps_reputation"]["default"] is True
    switches = schemas["HouseRulesInputRequest"]["properties"]
    assert switches["token_pool_rp"]["default"] == 30
    assert "default" not in schemas["ChangedSettingsInputRequest"]["properties"]["places"]
    chosen = schemas["OpenSeasonInputRequest"]["properties"]["ai_bot"]
    assert (chosen["default"], chosen["enum"]) == ("greedy", ["random", "greedy", "quick", "tactical"])
    assert "`tactical` is hard" in chosen["description"]
    assert schemas["FoundAiStableInputRequest"]["properties"]["bot"]["enum"] == chosen["enum"]
    calendar = schemas["CalendarInputRequest"]["properties"]
    assert (calendar["weekday"]["minimum"], calendar["weekday"]["maximum"]) == (0, 6)
    assert (calendar["evening_minutes"]["minimum"], calendar["hours_a_round"]["minimum"]) == (60, 1)


def test_classes_of_a_multi_class_season_are_drawn_or_named(api: Any) -> None:
    drawn = api("player", "post", "seasons/", a_season(settings={"weight_class": "multi"})).json()["settings"]
    assert (drawn["weight_class"], len(drawn["multi_class_order"])) == (None, len(FORMATS))
    order = ["heavy", "light"]
    named = {"multi_class_order": order, "cycles": ["standard", "team"]}
    answer = api("player", "post", "seasons/", a_season(settings=named))
    assert answer.json()["settings"]["multi_class_order"] == order
    both = api("player", "post", "seasons/", a_season(settings={**named, "weight_class": "multi"}))
    assert both.json()["settings"]["multi_class_order"] == order


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"settings": {}}, "setting_out_of_range"),
        ({"settings": {**LIGHT, "multi_class_order": ["light"] * 6}}, "setting_out_of_range"),
        ({"settings": {"multi_class_order": ["light"]}}, "setting_out_of_range"),
        ({"settings": {**LIGHT, "cycles": ["team", "team"]}}, "setting_out_of_range"),
        ({"settings": {**LIGHT, "places": 4}, "ai_stables": 4}, "ai_stables_out_of_range"),
        ({"settings": {**LIGHT, "house_rules": {"clock_seconds": 60}}}, "setting_not_built"),
        ({"settings": {**LIGHT, "dials": "printed"}}, "printed_dials_missing"),
        ({"collection": "nobodys"}, "unknown_collection"),
        ({"calendar": {"preset": "solo", "time_zone": "Mars/Olympus"}}, "setting_out_of_range"),
        ({"calendar": {"preset": "weekly", "ends_on": "2030-02-30"}}, "setting_out_of_range"),
    ],
)
def test_settings_that_do_not_go_together_are_refused_and_leave_nothing(
    api: Any, more: dict[str, Any], code: str
) -> None:
    before = Season.objects.count()
    assert code_of(api("player", "post", "seasons/", a_season(**more))) == (409, code)
    assert Season.objects.count() == before


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": " \t "}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"settings": {**LIGHT, "places": 9}}, "settings.places"),
        ({"settings": {**LIGHT, "places": "6"}}, "settings.places"),
        ({"settings": {**LIGHT, "matches_per_cycle": 0}}, "settings.matches_per_cycle"),
        ({"settings": {**LIGHT, "unplayed": "never"}}, "settings.unplayed"),
        ({"settings": {**LIGHT, "sponsor_grant": "yes"}}, "settings.sponsor_grant"),
        ({"settings": {**LIGHT, "cycles": []}}, "settings.cycles"),
        ({"settings": {**LIGHT, "colour": "red"}}, "settings.colour"),
        ({"settings": {**LIGHT, "house_rules": {"pilot_death": 1}}}, f"{SWITCH}pilot_death"),
        ({"settings": {**LIGHT, "house_rules": {"dig_in_target_modifier": 0}}}, f"{SWITCH}dig_in_target_modifier"),
        ({"settings": {**LIGHT, "house_rules": {"dig_in_target_modifier": True}}}, f"{SWITCH}dig_in_target_modifier"),
        ({"settings": {**LIGHT, "house_rules": {"token_pool_rp": 301}}}, f"{SWITCH}token_pool_rp"),
        ({"calendar": {"preset": "daily"}}, "calendar.preset"),
        ({"calendar": {"at": "24:00"}}, "calendar.at"),
        ({"calendar": {"hours_a_round": 0}}, "calendar.hours_a_round"),
        ({"ai_stables": -1}, "ai_stables"),
        ({"ai_bot": "nobody"}, "ai_bot"),
        ({"ai_bot": "strong"}, "ai_bot"),
        ({"ai_stables": 2, "ai_bot": None}, "ai_bot"),
        ({"draft": "yes"}, "draft"),
        ({"organiser": "me"}, "organiser"),
    ],
)  # fmt: skip
def test_a_body_of_another_form_is_malformed(api: Any, more: dict[str, Any], field: str) -> None:
    answer = api("player", "post", "seasons/", a_season(**more))
    assert code_of(answer) == (400, "invalid")
    assert field in {error["field"].split("[")[0] for error in answer.json()["parameters"]["errors"]}


def test_opening_is_for_people_with_the_scope(api: Any) -> None:
    assert api("anonymous", "post", "seasons/", a_season()).status_code == 401
    answer = api("player", "post", "seasons/", a_season(), scopes=("read", "play"))
    assert code_of(answer) == (403, "scope_missing")


def test_a_season_opened_twice_with_one_key_is_opened_once(api: Any) -> None:
    before = Season.objects.count()
    first = api("player", "post", "seasons/", a_season(), key="spring")
    second = api("player", "post", "seasons/", a_season(), key="spring")
    assert (second.status_code, second.json()) == (201, first.json())
    assert second.headers["Location"] == first.headers["Location"]
    assert second.headers["Idempotency-Replayed"] == "true"
    assert Season.objects.count() == before + 1
    other = api("player", "post", "seasons/", a_season(name="Summer Circuit"), key="spring")
    assert code_of(other) == (422, "idempotency_key_reused")


def test_drafts_are_for_their_organisers_until_they_are_published(world: World, api: Any) -> None:
    slug = api("organiser", "post", "seasons/", a_season(draft=True)).json()["slug"]
    helper = world.people["helper"]
    SeasonRole.objects.create(season=Season.objects.get(slug=slug), user=helper, role="co_organiser")
    for address in (f"seasons/{slug}/", f"seasons/{slug}/close-out/", f"seasons/{slug}/organise/"):
        for role in ("player", "referee", "staff"):
            assert api(role, "get", address).status_code == 404, (role, address)
        # Who is not known is asked to log in where one must, whatever is there.
        assert api("anonymous", "get", address).status_code == (401 if "organise" in address else 404)
        for role in ("organiser", "helper"):
            assert api(role, "get", address).status_code == 200, (role, address)
    assert api("staff", "post", f"seasons/{slug}/publish").status_code == 404
    answer = api("helper", "post", f"seasons/{slug}/publish")
    assert (answer.status_code, answer.json()["state"]) == (200, "recruiting")
    assert api("anonymous", "get", f"seasons/{slug}/close-out/").status_code == 200
    assert code_of(api("organiser", "post", f"seasons/{slug}/publish")) == (409, "season_no_draft")


def test_the_season_after_one_that_is_over(api: Any) -> None:
    address = "seasons/played-season/again"
    answer = api("organiser", "post", address, {"name": "Played on"}, key="again")
    assert (answer.status_code, answer.json()["name"], answer.json()["state"]) == (201, "Played on", "recruiting")
    season = Season.objects.get(slug=answer.json()["slug"])
    assert season.copied_from is not None
    assert season.copied_from.slug == "played-season"
    assert api("organiser", "post", address, {"name": "Played on"}, key="again").json() == answer.json()
    assert code_of(api("organiser", "post", "seasons/table-season/again")) == (409, "season_not_over")
    assert code_of(api("organiser", "post", address, {"name": ""})) == (400, "invalid")


def test_a_season_takes_up_a_collection(world: World, api: Any) -> None:
    address = "seasons/recruiting-season/take-up-collection"
    slug = world.values["slug"]
    answer = api("organiser", "post", address, {"collection": slug})
    assert (answer.status_code, answer.json()["collection"]) == (200, slug)
    season = Season.objects.get(slug="recruiting-season")
    assert season.release.content_hash == answer.json()["release"]
    assert season.release.offered_at is None, "not the game's own"
    assert api("organiser", "post", address, {"collection": ""}).json()["collection"] == ""
    assert code_of(api("organiser", "post", address, {"collection": "none-of-them"})) == (409, "unknown_collection")
    assert code_of(api("organiser", "post", address, {"collection": "two words"})) == (400, "invalid")
    assert code_of(api("organiser", "post", address, {})) == (400, "invalid")
    later = api("organiser", "post", "seasons/running-season/take-up-collection", {"collection": slug})
    assert code_of(later) == (409, "season_not_recruiting")


def test_a_collection_for_one_season(world: World, api: Any) -> None:
    address = "seasons/recruiting-season/make-collection"
    answer = api("organiser", "post", address, {"name": "Our dials"})
    assert (answer.status_code, answer.json()) == (201, {"slug": "our-dials", "name": "Our dials"})
    made = Collection.objects.get(slug="our-dials")
    assert (made.keeper, made.season) == (world.people["organiser"], "recruiting-season")
    assert code_of(api("organiser", "post", address, {"name": " "})) == (400, "invalid")
