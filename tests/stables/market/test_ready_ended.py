"""Who is ready and loses a crew by somebody else's act is not ready any more, hears of it, and is asked again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from catalogue.services.releases import load_release
from jobs.models import Job
from people.models import Notice
from people.services import acts
from people.services.accounts import notify
from people.text.notices import notice_sentence
from stables.jobs.seats import follow_hand_over
from stables.models import Cycle, HandOver, Season, Stable
from stables.services.base import locks
from stables.services.fixtures import hand_overs
from stables.services.garage import repairs
from stables.services.market import baskets, readiness
from stables.services.results import corrections
from stables.services.running import participation, passing
from stables.services.season import seasons
from tests.stables.market.test_market_endpoints import league, mine, people
from tests.stables.market.test_ready import crew_of, is_ready, put
from tests.stables.market_goods import common_pilot, common_unit, hurt, leave
from tests.stables.results.test_corrections import blue_wins_alive, close, correct, settled, to
from tests.stables.season_worlds import Enters, world_of
from tests.stables.tabletop_matches import fixture_of, person, red_wins, sides_of

__all__ = ["league", "mine", "people"]

pytestmark = [pytest.mark.django_db, pytest.mark.database]

DAY = timedelta(days=1)
EVERYTHING, PLAY_AND_REPAIR = HandOver.Scope.EVERYTHING, HandOver.Scope.PLAY_AND_REPAIR


def away(stable: Stable, scope: str = EVERYTHING, **more: Any) -> int:
    now = timezone.now()
    terms = {"starts_at": now, "ends_at": now + DAY, "scope": scope, **more}
    return hand_overs.hand_over(stable_id=stable.pk, **terms).hand_over_id


def open_acts(stable: Stable) -> list[str]:
    acts.settle()
    return list(acts.open_acts().filter(user=stable.owner).order_by("pk").values_list("code", flat=True))


# A stable that the AI would have shopped for --------------------------------------------------------------------------


def test_who_takes_a_stable_back_without_a_crew_is_not_ready_and_is_asked(mine: Stable) -> None:
    held = away(mine)
    readiness.say_ready(stable_id=mine.pk)
    assert is_ready(mine)
    for _ in range(2):
        hand_overs.take_back(stable_id=mine.pk, hand_over_id=held)
    assert not is_ready(mine)
    notice = Notice.objects.get(code="ready_ended")
    assert (notice.user, notice.url) == (mine.owner, mine.get_absolute_url())
    assert notice_sentence(notice.code, notice.parameters).startswith(
        f"Your stable {mine.name} is not ready any more for cycle 1 of {mine.season.name}: it lacks a crew "
        "for its match. "
    )
    assert open_acts(mine) == ["ready_ended"]
    readiness.say_ready(stable_id=mine.pk, without_crew=True)
    assert open_acts(mine) == []


def test_one_notice_asks_from_the_first_moment(mine: Stable) -> None:
    facts = {"season": mine.season.name, "cycle": 1}
    notify([mine.owner], "market_open", facts, mine.season.get_absolute_url())
    held = away(mine)
    readiness.say_ready(stable_id=mine.pk)
    assert open_acts(mine) == []
    hand_overs.take_back(stable_id=mine.pk, hand_over_id=held)
    # No tick has looked, and the header counts already.
    assert list(acts.open_acts().filter(user=mine.owner).values_list("code", flat=True)) == ["ready_ended"]


def test_who_takes_a_stable_back_with_a_crew_stays_ready(mine: Stable) -> None:
    crew_of(mine)
    held = away(mine)
    readiness.say_ready(stable_id=mine.pk)
    hand_overs.take_back(stable_id=mine.pk, hand_over_id=held)
    assert is_ready(mine)


@pytest.mark.parametrize("terms", [{"scope": PLAY_AND_REPAIR}, {"scope": EVERYTHING, "begins": DAY / 2}])
def test_who_went_on_without_a_crew_stays_ready_unless_the_ai_shopped(mine: Stable, terms: dict[str, Any]) -> None:
    held = away(mine, terms["scope"], starts_at=timezone.now() + terms.get("begins", timedelta()))
    readiness.say_ready(stable_id=mine.pk, without_crew=True)
    hand_overs.take_back(stable_id=mine.pk, hand_over_id=held)
    assert is_ready(mine)
    assert not Notice.objects.filter(code="ready_ended").exists()


def test_the_season_is_locked_before_a_stable_that_is_taken_back(mine: Stable, monkeypatch: pytest.MonkeyPatch) -> None:
    held, locked = away(mine), []
    monkeypatch.setattr(hand_overs, "lock_season", lambda pk: locked.append("season") or locks.lock_season(pk))
    lock_stable = hand_overs.lock_stable
    monkeypatch.setattr(hand_overs, "lock_stable", lambda pk: locked.append("stable") or lock_stable(pk))
    hand_overs.take_back(stable_id=mine.pk, hand_over_id=held)
    assert locked == ["season", "stable"]


def test_a_hand_over_that_runs_out_ends_ready_without_a_crew(mine: Stable) -> None:
    made = HandOver.objects.get(pk=away(mine))
    readiness.say_ready(stable_id=mine.pk)
    hand_overs.mind_the_end(made)
    assert is_ready(mine), "it still runs"
    now = timezone.now()
    HandOver.objects.update(starts_at=now - 2 * DAY, ends_at=now - DAY)

    class Once:
        payload = {"hand_over": made.pk}
        job_id = Job.objects.latest("pk").pk

        def once(self, step: str, act: Any) -> Any:
            return act()

    follow_hand_over(Once())
    assert not is_ready(mine)
    assert set(mine.owner.notices.values_list("code", flat=True)) == {"ready_ended", "hand_over_ended"}


def test_the_end_of_a_hand_over_that_was_taken_back_meanwhile_asks_nothing(mine: Stable) -> None:
    now = timezone.now()
    away(mine)
    HandOver.objects.update(starts_at=now - 2 * DAY, ends_at=now - DAY)
    read_before = HandOver.objects.get()
    HandOver.objects.update(ended_at=now)
    readiness.say_ready(stable_id=mine.pk, without_crew=True)
    hand_overs.mind_the_end(read_before)
    assert is_ready(mine)


def test_a_stable_without_a_crew_that_passes_from_the_ai_to_a_person_is_not_ready(
    mine: Stable, people: dict[str, Any]
) -> None:
    away(mine)
    readiness.say_ready(stable_id=mine.pk)
    passing.pass_to(stable_id=mine.pk, name="spectator", reason="has left", user=people["organiser"])
    assert not is_ready(mine)
    told = people["spectator"].notices.order_by("pk").values_list("code", flat=True)
    assert list(told) == ["stable_yours", "ready_ended"], "first that it is theirs"


# A correction ---------------------------------------------------------------------------------------------------------


def _between() -> tuple[Season, list[Stable]]:
    rules = {"house_rules": {"pilot_death": True}, "cycles": ["standard", "team"]}
    season = settled(load_release(), [red_wins(died="no"), blue_wins_alive()], **rules)
    close(season)
    season.refresh_from_db()
    if not season.cycles.filter(number=2).exists():
        seasons.open_cycle(season, 2)
    Stable.objects.filter(season=season).update(ready_for="market:2")
    pilot = sides_of(fixture_of(season))[1].line_up.crews.get().pilot
    others = pilot.stable.assets.filter(kind="pilot").exclude(pk=pilot.pk)
    others.update(sold_at=timezone.now())
    return season, [side.stable for side in sides_of(fixture_of(season))]


second_market = world_of("second market, all ready", _between)


@pytest.fixture
def between(db: None, second_market: Enters) -> tuple[Season, list[Stable]]:
    """A season whose first cycle is closed and whose second market is open, and its stables, all ready."""
    found: tuple[Season, list[Stable]] = second_market()
    return found


def ready_in_2(stable: Stable) -> bool:
    return Stable.objects.get(pk=stable.pk).ready_for == "market:2"


def test_a_correction_that_takes_the_only_pilot_ends_ready_and_says_so(between: tuple[Season, list[Stable]]) -> None:
    season, (red, blue) = between
    correct(fixture_of(season), to(red_wins(died="yes")))
    assert (ready_in_2(red), ready_in_2(blue)) == (True, False)
    notice = Notice.objects.get(code="ready_ended")
    assert (notice.user, notice.parameters["cycle"], notice.parameters["stable"]) == (blue.owner, 2, blue.name)


def test_a_correction_leaves_those_ready_who_lacked_a_crew_before(between: tuple[Season, list[Stable]]) -> None:
    season, (_, blue) = between
    blue.assets.filter(kind="unit").update(sold_at=timezone.now())
    correct(fixture_of(season), to(red_wins(died="yes")))
    assert ready_in_2(blue)


def test_nobody_but_an_organiser_has_the_ready_stables_looked_at(
    between: tuple[Season, list[Stable]], monkeypatch: pytest.MonkeyPatch
) -> None:
    season, _ = between
    monkeypatch.setattr(corrections, "lacking_of_ready", lambda _: pytest.fail("the stables are looked at"))
    of: dict[str, Any] = {"fixture_id": fixture_of(season).pk, "wanted": to(red_wins(died="yes"))}
    with pytest.raises(PermissionDenied):
        corrections.correct(**of, reason="a typing error", seal="", user=person("stranger"))


def test_a_correction_that_takes_the_stones_of_the_sealed_basket_tells_nobody(
    between: tuple[Season, list[Stable]],
) -> None:
    season, _ = between
    Stable.objects.filter(season=season).update(ready_for="")
    for stable in season.stables.all():
        stable.season = season
        put(stable, "pilot")
        leave(stable, common_pilot(season)["points"])
    Stable.objects.filter(season=season).update(ready_for="market:2")
    for stable in season.stables.all():
        stable.baskets.update(sealed_at=timezone.now())
    before = {stable.pk: stable.capital for stable in season.stables.all()}
    correct(fixture_of(season), to(red_wins(tokens=60, died="no")))
    poorer = {stable.pk for stable in season.stables.all() if stable.capital < before[stable.pk]}
    assert poorer, "the purses have changed"
    assert all(ready_in_2(stable) for stable in season.stables.all()), "who is ready, everybody sees"
    assert not Notice.objects.filter(code="ready_ended").exists()


# What asks for the act again ------------------------------------------------------------------------------------------


@pytest.fixture
def asked(mine: Stable) -> Stable:
    """A stable in the open market of a running season, ready with the sealed crew that its Stones are enough for."""
    Season.objects.filter(pk=mine.season_id).update(state=Season.State.RUNNING)
    facts = {"season": mine.season.name, "cycle": 1}
    notify([mine.owner], "market_open", facts, mine.season.get_absolute_url())
    hurt(crew_of(mine)[0], eliminated=True)
    put(mine, "unit", "pilot")
    leave(mine, common_unit(mine.season)["points"] + common_pilot(mine.season)["points"])
    assert open_acts(mine) == ["market_open"]
    readiness.say_ready(stable_id=mine.pk)
    assert open_acts(mine) == []
    return mine


@pytest.mark.parametrize("act", ["not ready", "basket opened", "repair"])
def test_the_notice_of_the_market_asks_again_when_ready_is_taken_back(asked: Stable, act: str) -> None:
    unit = asked.assets.get(kind="unit")
    if act == "not ready":
        readiness.say_ready(stable_id=asked.pk, is_ready=False)
    elif act == "basket opened":
        baskets.unseal(stable_id=asked.pk)
    else:
        assert repairs.repair(stable_id=asked.pk, asset_id=unit.pk).ends_ready
    assert open_acts(asked) == ["market_open"]
    assert not Notice.objects.filter(code="ready_ended").exists(), "the owner knows what they did"


def test_the_newest_notice_of_the_market_asks_again(asked: Stable) -> None:
    facts = {"season": asked.season.name, "cycle": 1}
    readiness.say_ready(stable_id=asked.pk, is_ready=False)
    notify([asked.owner], "reminder_market", facts, asked.get_absolute_url())
    assert open_acts(asked) == ["reminder_market"]
    readiness.say_ready(stable_id=asked.pk)
    readiness.say_ready(stable_id=asked.pk, is_ready=False)
    assert list(acts.open_acts().values_list("code", flat=True)) == ["reminder_market"]


def test_who_takes_part_in_a_cycle_again_is_asked_again(asked: Stable) -> None:
    Stable.objects.filter(pk=asked.pk).update(ready_for="")
    participation.skip_cycle(stable_id=asked.pk, number=1)
    assert open_acts(asked) == []
    participation.skip_cycle(stable_id=asked.pk, number=1, skips=False)
    assert Cycle.objects.get(season=asked.season).state == Cycle.State.MARKET
    assert open_acts(asked) == ["market_open"]
