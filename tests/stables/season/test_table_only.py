"""Seasons for real tables only: what their markets have, who plays, and what is refused there."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from catalogue.models import Collection
from catalogue.text.labels import NO_DIAL
from jobs.models import Job
from jobs.services import run_pending
from matches.models import Match
from rules.bots.owners.wares import Market
from rules.campaign.garage.repair import ABLE, ELIMINATED, UNDAMAGED, repair_cost
from rules.campaign.line_ups.checks import MatchTerms
from rules.campaign.market.prices import is_offered
from rules.campaign.season.settings import SeasonSettings
from rules.catalogue import load_builtin
from rules.core.refusals import Malformed, SeasonRefused
from rules.core.table_units import is_table_only
from stables.documents.columns import FULL
from stables.documents.reading import SeasonText
from stables.documents.storing import import_season
from stables.models import Fixture, FixtureForecast, NoShowClaim, Season, Stable, Title
from stables.presenters.market.assets import asset_view
from stables.selectors.assets import cost_of_repair, state_of
from stables.selectors.definitions import catalogue_of, definition_of, offered_units
from stables.selectors.seating import default_mode, seating_of
from stables.services.ai.advice import suggested_crew
from stables.services.fixtures import directing, no_shows
from stables.services.fixtures.hand_overs import hand_over
from stables.services.line_ups import appointments
from stables.services.line_ups.match_setup import prepare_match
from stables.services.market import trading
from stables.services.results import reports
from stables.services.running import absent, guests, passing
from stables.services.season import collections, opening, seasons
from stables.services.standings import titles
from tests.catalogue.table_unit import FIGURE, UNCOUNTED
from tests.stables.documents.conftest import exported
from tests.stables.figures import called, opened, sealed, with_crews
from tests.stables.tabletop_matches import person, red_wins

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(release: Any) -> Any:
    return get_user_model().objects.create_user("organiser", "organiser@example.org", "a long pass phrase")


@pytest.fixture
def recruiting(organiser: Any) -> Season:
    return opened(organiser)


@pytest.fixture
def crews(recruiting: Season) -> list[Stable]:
    return with_crews(recruiting, person("ash"), person("birch"))


def refused(act: Callable[..., Any], **values: Any) -> str:
    with pytest.raises((SeasonRefused, Malformed)) as caught:
        act(**values)
    return caught.value.code


@pytest.mark.parametrize(("dials", "is_there"), [("house", False), ("printed", False), ("table", True)])
def test_only_markets_for_real_tables_have_units_without_a_dial(dials: str, is_there: bool) -> None:
    assert is_offered("unit", FIGURE, dials) is is_there
    assert is_offered("unit", load_builtin().units["HSE007"], "table") is True


@pytest.mark.parametrize("dials", ["house", "table"])
def test_a_unit_without_a_dial_hides_one_of_the_game_at_real_tables_only(
    organiser: Any, dials: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FIGURE, "id", "HSE007")
    season = opened(organiser, settings={"dials": dials})
    slug = Collection.objects.get().slug

    def has_dial() -> bool:
        units = catalogue_of(Season.objects.select_related("release").get(pk=season.pk)).units
        assert UNCOUNTED["id"] in units
        return not is_table_only(units["HSE007"])

    assert has_dial() is (dials == "house")
    collections.take_up(season_id=season.pk, organiser=organiser, slug="")
    collections.take_up(season_id=season.pk, organiser=organiser, slug=slug)
    assert has_dial() is (dials == "house")


def test_another_market_refuses_the_unit_in_a_sentence(organiser: Any) -> None:
    season = opened(organiser, settings={"dials": "house"})
    made = seasons.found_stable(season_id=season.pk, name="Ash", owner=person("ash"))
    assert FIGURE["id"] not in {unit["id"] for unit in offered_units(season)}
    assert refused(trading.buy, stable_id=made.stable_id, kind="unit", key=FIGURE["id"]) == "unit_without_dial"


def test_the_unit_is_bought_and_its_repair_has_the_price_of_its_points(recruiting: Season, crews: list[Stable]) -> None:
    assert {FIGURE["id"], UNCOUNTED["id"]} <= {unit["id"] for unit in offered_units(recruiting)}
    unit = crews[0].assets.get(kind="unit")
    assert definition_of(recruiting, unit) == FIGURE
    assert crews[0].capital < recruiting.rules.capital
    states = []
    for damage in (0, 1, FIGURE["clicks"] - 1, FIGURE["clicks"]):
        unit.damage = damage
        states.append((state_of(recruiting, unit), cost_of_repair(recruiting, unit)))
    prices = [(state, repair_cost(FIGURE["points"], state)) for state in (UNDAMAGED, ABLE, ABLE, ELIMINATED)]
    assert states == prices


def test_clicks_that_nobody_knows_are_not_made_up(recruiting: Season, crews: list[Stable]) -> None:
    counted, uncounted = (asset_view(recruiting, crew.assets.get(kind="unit")) for crew in crews)
    assert (counted["clicks"], counted["clicks_left"]) == (FIGURE["clicks"], FIGURE["clicks"])
    assert (uncounted["clicks"], uncounted["clicks_left"], uncounted["state"]) == (None, None, UNDAMAGED)
    page = Client()
    page.force_login(crews[1].owner)
    for address in (crews[1].get_absolute_url(), f"{crews[1].get_absolute_url()}garage/"):
        text = page.get(address).content.decode()
        assert "clicks left" not in text, address
        assert NO_DIAL in text, address


def test_no_ai_enters_the_season(organiser: Any, recruiting: Season) -> None:
    assert refused(opening.found_ai_stable, season_id=recruiting.pk) == "season_at_tables_only"
    asked = {"name": "Two", "weight_class": "light", "ai_stables": 1, "organiser": organiser}
    assert refused(opening.open_for_people, settings={"dials": "table"}, **asked) == "season_at_tables_only"
    assert not Season.objects.filter(name="Two").exists()
    with pytest.raises(Malformed):
        SeasonSettings.from_json({"weight_class": "light", "dials": "table", "unplayed": "ai"})


def test_a_guest_enters_the_season(organiser: Any, recruiting: Season) -> None:
    made = guests.found_for_guest(season_id=recruiting.pk, name="Walk-Ins", user=organiser)
    guest = guests.take_seat(passing_id=passing.find(made.link.code).pk)
    stable = recruiting.stables.get()
    assert (stable.name, stable.owner, stable.is_ai) == ("Walk-Ins", guest, False)


def test_no_page_offers_what_the_ai_does_not_do_here(organiser: Any, recruiting: Season, crews: list[Stable]) -> None:
    of_organiser, of_owner = Client(), Client()
    of_organiser.force_login(organiser)
    of_owner.force_login(crews[0].owner)
    own, console = crews[0].get_absolute_url(), f"{recruiting.get_absolute_url()}organise/"
    assert "found-for-guest/" in of_organiser.get(console).content.decode()
    assert "found-ai" not in of_organiser.get(console).content.decode()
    called(recruiting)
    for address in (console, f"{own}manage/"):
        page = of_organiser.get(address).content.decode()
        assert ('value="withdraw"' in page, 'value="hand_to_ai"' in page) == (True, False), address
    absent = of_organiser.get(f"{recruiting.get_absolute_url()}absent/")
    choices = absent.context["choice_form"].fields["choice"].choices
    assert [key for key, _label in choices] == ["new_date", "forfeit", "bye"]
    for address in (own, f"{own}stand-ins/"):
        assert "hand-over/" not in of_owner.get(address).content.decode(), address


def test_no_stable_is_handed_over_to_the_ai(recruiting: Season, crews: list[Stable]) -> None:
    now = timezone.now()
    days = {"starts_at": now, "ends_at": now + timedelta(days=3)}
    assert refused(hand_over, stable_id=crews[0].pk, **days) == "season_at_tables_only"


def test_every_match_is_at_a_table_and_none_is_made_here(recruiting: Season, crews: list[Stable]) -> None:
    fixture = sealed(recruiting)
    assert (fixture.mode, fixture.state) == (Fixture.Mode.TABLE, Fixture.State.SEALED)
    assert (default_mode(recruiting), seating_of(fixture).mode) == ("table", "table")
    assert prepare_match(fixture_id=fixture.pk) == (None, {})
    assert not Match.objects.exists()
    assert not FixtureForecast.objects.exists()
    assert not Job.objects.filter(name__startswith="stables.forecast").exists()


@pytest.mark.parametrize("mode", ["browser", "ai"])
def test_no_other_mode_is_proposed_or_directed(
    recruiting: Season, crews: list[Stable], mode: str, organiser: Any
) -> None:
    fixture = sealed(recruiting)
    asked = {"stable_id": crews[0].pk, "fixture_id": fixture.pk, "mode": mode}
    assert refused(appointments.propose, **asked) == "season_at_tables_only"
    given = {"fixture_id": fixture.pk, "changes": {"mode": mode}, "user": organiser}
    assert refused(directing.direct, **given) == "season_at_tables_only"


def test_no_ai_stands_in_and_a_forfeit_leaves_the_match_at_its_table(recruiting: Season, crews: list[Stable]) -> None:
    fixture = sealed(recruiting)
    NoShowClaim.objects.create(fixture=fixture, claimant=crews[0], absent=crews[1], state=NoShowClaim.State.CHOICE)
    asked = {"stable_id": crews[0].pk, "fixture_id": fixture.pk}
    assert refused(no_shows.choose, forfeit=False, **asked) == "season_at_tables_only"
    no_shows.choose(forfeit=True, **asked)
    fixture.refresh_from_db()
    assert (fixture.mode, fixture.sides.get(stable=crews[1]).forfeits) == ("table", "no_show")


def test_figures_of_an_absent_stable_are_repaired_and_the_page_names_no_ai(
    organiser: Any, recruiting: Season, crews: list[Stable]
) -> None:
    called(recruiting)
    crews[0].assets.filter(kind="unit").update(damage=FIGURE["clicks"] - 1)
    client = Client()
    client.force_login(organiser)
    page = client.get(f"{recruiting.get_absolute_url()}absent/").content.decode().split("<main")[1]
    assert 'value="repair"' in page
    assert re.findall(r"\bAI\b", page) == []
    asked = {"season_id": recruiting.pk, "stable_ids": [crews[0].pk], "user": organiser, "reason": "agreed"}
    done = absent.act_for(act=absent.REPAIR, **asked)
    assert [stable.pk for stable in done.stables] == [crews[0].pk]
    assert crews[0].assets.get(kind="unit").damage == 0


def test_a_tied_title_is_shared_because_a_sudden_death_is_a_match_here(recruiting: Season, crews: list[Stable]) -> None:
    sealed(recruiting)
    fought = titles.decided(recruiting, Title.Kind.STABLE)
    assert [(holding.stable.pk, holding.decided_by) for holding in fought.holders] == [
        (stable.pk, Title.Decision.SHARED) for stable in crews
    ]
    assert fought.fighters == ()


def test_no_bot_gives_advice_on_figures(recruiting: Season, crews: list[Stable]) -> None:
    assert suggested_crew(crews[0]) is None
    terms = MatchTerms("light", "standard")
    cards = catalogue_of(recruiting)
    market = Market.of([FIGURE, cards.units["SOL002"]], cards.pilots.values(), [], [], terms)
    assert set(market.units) == {"SOL002"}


def test_a_stable_whose_owner_is_gone_still_plays_at_a_table(recruiting: Season, crews: list[Stable]) -> None:
    fixture = called(recruiting)
    Stable.objects.filter(pk=crews[0].pk).update(owner=None)
    assert seating_of(Fixture.objects.get(pk=fixture.pk)).mode == "table"


def test_a_reported_match_hurts_the_figure_and_ends_the_season(recruiting: Season, crews: list[Stable]) -> None:
    fixture = sealed(recruiting)
    for side in fixture.sides.select_related("stable__owner").order_by("id"):
        reports.file_report(
            fixture_id=fixture.pk, stable_id=side.stable_id, document=red_wins(clicks=3), user=side.stable.owner
        )
    run_pending()
    fixture.refresh_from_db()
    assert fixture.state == Fixture.State.SETTLED
    red = fixture.sides.get(side="red").stable.assets.get(kind="unit")
    blue = fixture.sides.get(side="blue").stable.assets.get(kind="unit")
    assert (red.damage, red.is_eliminated, blue.is_eliminated) == (3, False, True)
    assert (state_of(recruiting, red), state_of(recruiting, blue)) == (ABLE, ELIMINATED)


def test_a_finished_season_goes_out_and_comes_in_as_a_document(organiser: Any) -> None:
    season = opened(organiser, settings={"matches_per_cycle": 1, "closing_hours": 0})
    with_crews(season, person("ash"), person("birch"))
    fixture = sealed(season)
    for side in fixture.sides.select_related("stable__owner").order_by("id"):
        own = {"fixture_id": fixture.pk, "stable_id": side.stable_id, "user": side.stable.owner}
        reports.file_report(document=red_wins(clicks=3), **own)
    run_pending()
    season.refresh_from_db()
    assert season.state == Season.State.FINISHED
    made = import_season(SeasonText.of(exported(season, FULL)), slug="elsewhere")
    again = Season.objects.select_related("release").get(pk=made.season_id)
    assert again.rules.table_only
    assert catalogue_of(again).units[FIGURE["id"]] == FIGURE
    assert sorted(again.stables.values_list("assets__damage", flat=True)) == sorted(
        season.stables.values_list("assets__damage", flat=True)
    )


def test_a_report_of_more_clicks_than_the_figure_has_is_refused(recruiting: Season, crews: list[Stable]) -> None:
    fixture = sealed(recruiting)
    side = next(one for one in fixture.sides.select_related("stable__owner") if one.stable_id == crews[0].pk)
    own = {"units": {f"{side.side}-1": {"clicks": FIGURE["clicks"]}}, "winner": side.side}
    filed = {"fixture_id": fixture.pk, "stable_id": side.stable_id, "user": side.stable.owner}
    assert refused(reports.file_report, document=own, **filed)
