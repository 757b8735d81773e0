"""Grand melees, seasons that wait for people, and ties that a sudden death decides."""

from __future__ import annotations

from typing import Any

import pytest

from jobs.services import run_pending
from matches.models import Match
from rules.core.refusals import SeasonRefused
from stables.models import Crew, Cycle, Fixture, Placing, ReputationEntry, Season, Stable
from stables.selectors.records import records_of
from stables.services.ai.exhibitions import open_exhibition
from stables.services.line_ups import line_ups
from stables.services.season import seasons
from stables.services.standings import titles
from tests.stables.conftest import open_with

pytestmark = pytest.mark.django_db


def test_r_fmt_21_eight_stables_fight_the_melee_on_four_maps(release: Any) -> None:
    season = open_with(release, list("ABCDEFGH"), cycles=["grand_melee"])
    Stable.objects.filter(season=season).update(bot="random")
    seasons.start_season(season_id=season.pk)
    run_pending()
    season.refresh_from_db()
    [fixture] = Fixture.objects.filter(round__cycle__season=season).select_related("match")
    assert len(fixture.arena_key.split("+")) == 4
    assert fixture.match.setup["arena"]["columns"] == 21
    assert season.state == "finished"


def test_q_138_a_grand_melee_goes_on_without_a_stable_that_has_nothing_to_field(release: Any) -> None:
    season = open_with(release, ["Ash", "Birch", "Cedar"], cycles=["grand_melee"])
    Stable.objects.filter(season=season).update(bot="random")
    poor = season.stables.get(number=3)
    Stable.objects.filter(pk=poor.pk).update(is_ai=False)  # nobody shops and nobody nominates for it
    seasons.start_season(season_id=season.pk)
    run_pending()
    [fixture] = Fixture.objects.filter(round__cycle__season=season)
    line_ups.submit_nearest_legal(stable_id=poor.pk, fixture_id=fixture.pk)
    run_pending()
    season.refresh_from_db()
    fixture.refresh_from_db()
    assert fixture.match is not None
    assert len(fixture.match.setup["sides"]) == 2
    assert Placing.objects.get(stable=poor).place == 3
    assert ReputationEntry.objects.get(stable=poor, asset=None).amount == 30
    assert season.state == "finished"


def test_a_season_with_people_waits_for_its_organiser_between_cycles(release: Any, django_user_model: Any) -> None:
    season = open_with(release, ["Ash", "Birch", "Cedar"], cycles=["standard", "weapons_dead"])
    Stable.objects.filter(season=season).update(bot="random")
    person = django_user_model.objects.create_user("p", "p@example.org")
    mine = Stable.objects.get(pk=seasons.found_stable(season_id=season.pk, name="Mine", owner=person).stable_id)
    with pytest.raises(SeasonRefused) as caught:
        seasons.start_cycle(season_id=season.pk)
    assert caught.value.code == "no_open_market"
    seasons.start_season(season_id=season.pk)
    run_pending()
    while Fixture.objects.filter(state="line_ups").exists():
        for fixture in Fixture.objects.filter(state="line_ups"):
            line_ups.submit_nearest_legal(stable_id=mine.pk, fixture_id=fixture.pk)
        run_pending()
    second = season.cycles.get(number=2)
    assert second.state == Cycle.State.MARKET
    assert not second.rounds.exists()
    seasons.start_cycle(season_id=season.pk)
    run_pending()
    second.refresh_from_db()
    assert second.state == Cycle.State.ROUNDS


def tie(season: Season, amount: int) -> None:
    """Give every stable and its first pilot the same record."""
    cycle = season.cycles.get()
    for stable in season.stables.all():
        for asset in (None, stable.assets.filter(kind="pilot").order_by("id").first()):
            ReputationEntry.objects.create(
                stable=stable,
                asset=asset,
                cycle=cycle,
                amount=amount,
                cause="win",
                idempotency_key=f"tie:{stable.pk}:{asset.pk if asset else 0}",
            )


def test_r_cyc_09_r_sud_04_a_tie_is_fought_out_and_counts_for_nothing_else(stocked: Season) -> None:
    tie(stocked, 100)
    Stable.objects.filter(season=stocked).update(bot="random")
    entries = ReputationEntry.objects.count()
    damage = list(stocked.stables.values_list("assets__damage", flat=True))
    made = titles.award(season_id=stocked.pk, kind="pilot", play=titles.play_with_bots)
    assert made is not None
    [title] = made
    assert title.decided_by == "sudden_death"
    match = title.match
    assert match is not None
    assert match.setup["format"] == "standard"
    assert match.setup["house_rules"]["rally_cards"] is False
    assert len(match.setup["sides"]) == 4
    winner = next(side for side in match.setup["sides"] if side["id"] == match.result["winner"])
    assert (winner["name"], winner["units"][0]["pilot"]["name"]) == (title.stable.name, title.asset.name)
    assert ReputationEntry.objects.count() == entries
    assert list(stocked.stables.values_list("assets__damage", flat=True)) == damage
    assert titles.award(season_id=stocked.pk, kind="pilot", play=titles.play_with_bots) == made
    assert Match.objects.count() == 1


def test_r_sud_05_tied_stables_send_a_pilot_each(stocked: Season) -> None:
    tie(stocked, 100)
    Stable.objects.filter(season=stocked).update(bot="random")
    [title] = titles.award(season_id=stocked.pk, kind="stable", play=titles.play_with_bots) or ()
    assert (title.decided_by, title.asset) == ("sudden_death", None)
    assert title.match is not None
    assert all(side["units"][0]["pilot"] for side in title.match.setup["sides"])


def test_r_cyc_08_the_one_with_most_reputation_is_champion_and_kills_part_equals(stocked: Season) -> None:
    tie(stocked, 100)
    first, second = stocked.stables.order_by("number")[:2]
    ReputationEntry.objects.create(
        stable=second, cycle=stocked.cycles.get(), amount=0, kills=1, cause="win", idempotency_key="kill"
    )

    def never(match: Match, bots: dict[str, str]) -> Match:
        raise AssertionError("nothing is left to fight about")

    [title] = titles.award(season_id=stocked.pk, kind="stable", play=never) or ()
    assert (title.stable, title.decided_by, title.match) == (second, "kills", None)
    pilot = first.assets.filter(kind="pilot").order_by("id").first()
    ReputationEntry.objects.create(
        stable=first, asset=pilot, cycle=stocked.cycles.get(), amount=5, cause="win", idempotency_key="more"
    )
    [title] = titles.award(season_id=stocked.pk, kind="pilot", play=never) or ()
    assert (title.asset, title.decided_by) == (pilot, "reputation")


def test_the_record_of_the_units_counts_every_match_and_win(release: Any) -> None:
    season = open_exhibition(name="E", stables=4, weight_class="light", cycles=1, seed=5, bot="random")
    run_pending()
    crews = Crew.objects.filter(line_up__side__fixture__result__isnull=False).count()
    keys = set(Crew.objects.values_list("unit__catalogue_key", flat=True))
    records = [record for key in keys for record in records_of("units", key)]
    assert sum(record.matches for record in records) == crews
    fixtures = Fixture.objects.filter(match__isnull=False, round__cycle__season=season).count()
    forfeits = Fixture.objects.filter(match=None, kind="match", result__document__ended_by="forfeit").count()
    assert fixtures <= sum(record.wins for record in records) <= fixtures + forfeits
