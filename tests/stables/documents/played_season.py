"""A finished season in which everything happened that a document tells: played once by the real services and jobs."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from catalogue.services.releases import load_release
from jobs.services import run_pending
from matches.models import Match, MatchSeat, StandingAnswers, WriteUp
from matches.services.finished import write_ups
from matches.services.matches import resolve_with_bots
from people.models import User
from rules.core.refusals import SeasonRefused
from stables.models import (
    Basket,
    Fixture,
    FixtureSide,
    HandOver,
    LogEntry,
    NoShowClaim,
    Result,
    Ruling,
    Season,
    SkippedCycle,
    Stable,
    SuddenDeath,
    TableMark,
)
from stables.services.ai import owners
from stables.services.fixtures import hand_overs, programs
from stables.services.line_ups import appointments, saved
from stables.services.line_ups.sealing import CrewChoice
from stables.services.market import baskets, readiness
from stables.services.results import corrections, reports
from stables.services.results.corrections import Wanted
from stables.services.results.tabletop import require_at_table
from stables.services.running import roles
from stables.services.season import invitations, seasons
from tests.matches.pictures import picture
from tests.stables.tabletop_matches import person, red_wins

PEOPLE = ("anna", "ben", "carla")
SECRET = b"a season that is moved elsewhere"


def open_played(name: str = "Winter Circuit") -> Season:
    """A season of three people and the AI that has been opened and stocked; nothing is paired yet."""
    organiser = person("organiser")
    opened = seasons.open_season(
        name=name,
        settings={"weight_class": "light", "cycles": ["standard", "team"], "matches_per_cycle": 1, "closing_hours": 0},
        release=load_release(),
        organiser=organiser,
        secret=SECRET,
    )
    season = Season.objects.get(pk=opened.season_id)
    made = invitations.invite(season_id=season.pk, most_uses=3, actor=organiser)
    for owner in PEOPLE:
        invitations.join(code=made.code, name=f"Stable of {owner}", owner=person(owner))
    seasons.found_stable(season_id=season.pk, name="Machines", bot="random")
    return season


def play_first_round(season: Season) -> Fixture:
    """Begin the season and play its first round: one match at a table, the other by the AI; returns the former."""
    stables = {stable.owner.username: stable for stable in season.stables.exclude(owner=None).select_related("owner")}
    cycle = season.cycles.get()
    for stable in stables.values():
        if stable.owner == person("anna"):
            _shop_by_basket(stable)
        owners.shop(stable_id=stable.pk, cycle_id=cycle.pk)
    seasons.start_season(season_id=season.pk, actor=person("organiser"))
    run_pending()
    at_table = next(
        fixture
        for fixture in Fixture.objects.filter(round__cycle__season=season).order_by("number")
        if all(side.stable.owner is not None for side in fixture.sides.select_related("stable__owner"))
    )
    proposer, other = at_table.sides.order_by("id")
    made = appointments.propose(stable_id=proposer.stable_id, fixture_id=at_table.pk, mode="table")
    appointments.accept(stable_id=other.stable_id, proposal_id=made.proposal_id)
    hand_in(season)
    run_pending()
    at_table.refresh_from_db()
    require_at_table(at_table)
    for number, side in enumerate(at_table.sides.select_related("stable__owner").order_by("id")):
        owner = side.stable.owner
        TableMark.objects.create(
            fixture=at_table, side=side.side, uid=UUID(int=number + 1), mark={"kind": "round", "number": 1},
            made_by=owner, made_at=timezone.now(),
        )  # fmt: skip
        reports.file_report(fixture_id=at_table.pk, stable_id=side.stable_id, document=red_wins(), user=owner)
    # The cycle is closed when it is corrected: its places are written a second time.
    run_pending()
    wanted = Wanted("correct", red_wins(clicks=1, tokens=30))
    organiser = person("organiser")
    seen = corrections.foresee(fixture_id=at_table.pk, wanted=wanted, user=organiser)
    corrections.correct(
        fixture_id=at_table.pk, wanted=wanted, reason="a slip of the pen", seal=seen.seal, user=organiser
    )
    return at_table


def _shop_by_basket(stable: Stable) -> None:
    baskets.put_in(stable_id=stable.pk, kind="rally_card", key="R-001")
    baskets.seal(stable_id=stable.pk)


def hand_in(season: Season) -> None:
    """Hand in every line-up that people still owe, with gear and hands."""
    owed = FixtureSide.objects.filter(
        fixture__round__cycle__season=season, fixture__state=Fixture.State.LINE_UPS, line_up=None, forfeits=""
    )
    for side in owed.filter(stable__is_ai=False, fixture__kind="match").order_by("id"):
        owners.prepare(stable_id=side.stable_id, fixture_id=side.fixture_id)


def play_on(season: Season, until: Any = None) -> None:
    """Play until the season is over: two matches by people in the browser, the rest by the AI."""
    for _ in range(40):
        run_pending()
        season.refresh_from_db()
        if season.state == Season.State.FINISHED or (until is not None and until(season)):
            return
        cycle = season.cycles.order_by("-number")[0]
        if cycle.state == "market":
            for stable in season.stables.filter(is_ai=False).exclude(ready_for=f"market:{cycle.number}"):
                with suppress(SeasonRefused):
                    readiness.say_ready(stable_id=stable.pk, without_crew=True)
        hand_in(season)
        for match in Match.objects.filter(fixture__round__cycle__season=season).exclude(state="finished"):
            sides = [side["id"] for side in match.setup["sides"]]
            people = list(match.seats.exclude(user=None).values_list("side", flat=True))
            resolve_with_bots(match.pk, dict.fromkeys(sides, "random"), given=people)
    raise AssertionError(f"{season} is not over")


def decorate(season: Season, at_table: Fixture) -> None:
    """What belongs to a season and does not happen by itself: programs, saved line-ups, claims, texts and pictures."""
    anna, carla = (season.stables.get(owner=person(name)) for name in ("anna", "carla"))
    seat = programs.propose(stable_id=anna.pk, username=person("robot").username)
    programs.consent(seat_id=seat.seat_id, stable_id=carla.pk)
    programs.end(seat_id=seat.seat_id, stable_id=anna.pk)
    unit = carla.assets.filter(kind="unit", sold_at=None).order_by("id")[0]
    card = carla.assets.filter(kind="rally_card", sold_at=None).order_by("id").first()
    saved.save(
        stable_id=carla.pk,
        match_class="light",
        format_name="standard",
        crews=[CrewChoice(unit.pk, None, hand_ids=() if card is None else (card.pk,))],
        tokens=[],
    )
    for name, role in (("referee", "referee"), ("helper", "co_organiser")):
        roles.give_role(season_id=season.pk, name=person(name).username, role=role, actor=person("organiser"))
    document = at_table.reports.order_by("id")[0].document
    Ruling.objects.create(fixture=at_table, document=document, reason="seen by both", user=person("referee"))
    SuddenDeath.objects.create(
        season=season,
        kind="pilot",
        contenders=[{"claim": "01", "stable": 1, "asset": None, "names": "Nobody", "plays": "bot", "side": ""}],
        decided_at=timezone.now(),
    )
    SkippedCycle.objects.create(stable=season.stables.get(is_ai=True), cycle_number=6)
    first, second = at_table.sides.order_by("id")
    NoShowClaim.objects.create(
        fixture=at_table, claimant=first.stable, absent=second.stable, state="withdrawn", decided_at=timezone.now()
    )
    carla.identity.rivals.add(anna.identity)
    newest = LogEntry.objects.filter(season=season).order_by("-id")[0]
    Stable.objects.filter(pk=anna.pk).update(seen_log=newest.pk)


def write_texts(season: Season, at_table: Fixture) -> None:
    """Write-ups of a match at a table, with a picture, and one that was taken down."""
    author, other = (side.stable.owner for side in at_table.sides.select_related("stable__owner").order_by("id"))
    subject = f"fixture:{at_table.pk}"
    sent = write_ups.Sent("It was close until the last round.", picture(), "the arena after the third round")
    write_ups.write(subject, author, sent)
    made = write_ups.write(subject, other, write_ups.Sent("They cheated."))
    WriteUp.objects.filter(pk=made.pk).update(taken_down_at=timezone.now(), taken_down_because="unfair")
    seat = MatchSeat.objects.filter(match__fixture__round__cycle__season=season, user__isnull=False).first()
    if seat is not None:
        StandingAnswers.objects.create(seat=seat, unit="red-1", answers={"spin": "keep"})


def called(season: Season) -> Any:
    """The fixtures of the second cycle for which line-ups are called."""
    return Fixture.objects.filter(round__cycle__season=season, round__cycle__number=2, state="line_ups", kind="match")


def hand_ben_over(season: Season) -> None:
    """Let the AI do everything for one of the people, within a limit."""
    stable, now = season.stables.get(owner=person("ben")), timezone.now()
    hand_overs.hand_over(
        stable_id=stable.pk, starts_at=now, ends_at=now + timedelta(days=9), scope=HandOver.Scope.EVERYTHING,
        spending_limit=500, actor=person("ben"),
    )  # fmt: skip


def finished_season() -> Season:
    """The whole story."""
    season = open_played()
    at_table = play_first_round(season)
    decorate(season, at_table)
    hand_ben_over(season)
    play_on(season, until=lambda now: called(now).exists())
    assert called(season).update(mode="browser")
    play_on(season)
    write_texts(season, at_table)
    assert Basket.objects.filter(cycle__season=season).exists()
    assert Result.objects.filter(source="agreed").exists()
    # The program's account is deleted: what is left of it has no name.
    name = "left-0123"
    gone = {"username": name, "name_key": name, "email": f"{name}@left.invalid", "left_at": timezone.now()}
    User.objects.filter(username="robot").update(**gone, is_active=False)
    return Season.objects.get(pk=season.pk)
