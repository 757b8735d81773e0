"""What the owner of a stable does next in its season: one step, one button."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from jobs.models import Job
from rules.campaign.classes import units_a_side
from rules.campaign.states import IN_PLAY, OVER
from stables.models import Asset, Cycle, Fixture, FixtureSide, Season, Stable, SuddenDeath
from stables.presenters.market.left_over import left_over
from stables.presenters.report_tasks import awaited, owner_task
from stables.presenters.waiting import Now
from stables.selectors.crews import ready_mark
from stables.selectors.entrants import entering, plays_alone
from stables.selectors.reports import Reported, reported_of
from stables.services.season.seasons import has_begun
from stables.services.standings.sudden_death_ends import is_begun

WAITING = ("wait", "failed")
"""The kinds of steps in which the owner can only wait: the site works on the season, or something has failed."""


@dataclass(frozen=True)
class Step:
    """The next thing to do: its kind, a sentence about it, and the button's text and address.

    `also` are further sentences, as what the owner has bought and does not use, and `garage` is where they change
    that, "" without need. `can_say_ready` and `can_make_ready` offer the two forms of an open market; `has_lack`: the
    crew for the coming match is known not to be complete.
    """

    kind: str
    sentence: str
    button: str
    address: str
    also: str = ""
    can_say_ready: bool = False
    can_make_ready: bool = False
    has_lack: bool = False
    garage: str = ""

    @property
    def is_waiting(self) -> bool:
        return self.kind in WAITING


def next_step(stable: Stable) -> Step:
    """Return what comes next for a stable's owner; at most nine queries. Fetch the stable with its season."""
    step = _outside_cycles(stable)
    if step is not None:
        return step
    season = stable.season
    cycle = Cycle.objects.filter(season=season).order_by("-number").first()
    side = _open_side(stable, cycle) if cycle is not None and cycle.state == Cycle.State.ROUNDS else None
    has_failed = Job.objects.filter(payload__season=season.pk, state=Job.State.FAILED).exists()
    if cycle is not None and cycle.state == Cycle.State.MARKET and has_begun(cycle) and not has_failed:
        return _wait(season, _("The market closes, and the first round is paired."))
    reported: dict[int, Reported] = {}
    if side is not None and side.fixture.state == Fixture.State.SEALED and side.fixture.match_id is None:
        reported = {reported_match.fixture.pk: reported_match for reported_match in reported_of(stable)}
    return _inside(stable, cycle, side, has_failed, reported)


def step_now(stable: Stable, now: Now, has_failed: bool) -> Step:
    """Return the next step from what the season's page has read already; at most two queries.

    Unlike `next_step` it does not ask whether an open market is about to close.
    """
    return _outside_cycles(stable) or _inside(stable, now.cycle, now.own, has_failed, now.reported)


def _outside_cycles(stable: Stable) -> Step | None:
    """Return the step when the season is over, paused or in sudden death, or the stable has left; else None."""
    season = stable.season
    if season.state in OVER or season.state == Season.State.PROVISIONAL:
        return _end_of_season(season)
    if stable.left_in_cycle is not None:
        sentence = _("Your stable has left this season; it goes on without you.")
        return Step("over", sentence, _("Look at the standings"), reverse("stables:standings", args=[season.slug]))
    if season.paused_at is not None:
        return Step("paused", _("The season is paused."), _("To the season"), season.get_absolute_url())
    return _sudden_death(stable) if season.state == Season.State.SUDDEN_DEATH else None


def _open_side(stable: Stable, cycle: Cycle) -> FixtureSide | None:
    """Return a stable's side of its first open fixture in a cycle, with line-up and match; None without one.

    One query.
    """
    return (
        FixtureSide.objects.filter(stable=stable, fixture__round__cycle=cycle)
        .exclude(fixture__state=Fixture.State.SETTLED)
        .select_related("fixture__round", "fixture__match", "line_up")
        .defer("fixture__match__setup", "fixture__match__seed", "fixture__match__result")
        .order_by("fixture__round__number")
        .first()
    )


def _inside(
    stable: Stable,
    cycle: Cycle | None,
    side: FixtureSide | None,
    has_failed: bool,
    reported: Mapping[int, Reported],
) -> Step:
    season = stable.season
    step = None
    if cycle is None:
        step = _wait(season, _("The season is being prepared."))
    elif cycle.state == Cycle.State.MARKET:
        step = _market(stable, cycle)
    elif cycle.state != Cycle.State.ROUNDS:
        step = _wait(season, _("The cycle is being closed: places, purses and repairs."))
    else:
        reported_match = reported.get(side.fixture_id) if side is not None and not side.forfeits else None
        step = _round(stable, side) if reported_match is None else _of_reports(stable, reported_match)
    if step.kind == "wait" and has_failed:
        # The season waits in vain until somebody starts the failed job again.
        text = _("Something went wrong on this site, and the season waits. It can be started again on its page.")
        return Step("failed", text, _("To the season"), season.get_absolute_url())
    return step


def _end_of_season(season: Season) -> Step:
    if season.state == Season.State.CANCELLED:
        return Step("over", _("The season was cancelled."), _("See how far it came"), season.get_absolute_url())
    sentence = _("The season is over: here are the champions.")
    if season.state == Season.State.PROVISIONAL:
        sentence = _("The last result is in. The champions are provisional until the season closes.")
    return Step("over", sentence, _("See how it ended"), reverse("stables:ceremony", args=[season.slug]))


def _sudden_death(stable: Stable) -> Step:
    season = stable.season
    row = SuddenDeath.objects.filter(season=season, decided_at=None).select_related("match").order_by("kind").first()
    is_mine = row is not None and any(each["stable"] == stable.number for each in row.contenders)
    if row is None or not is_mine:
        return _wait(season, _("The titles are being decided."))
    if row.match is not None and not row.match.is_over:
        return Step("play", _("The sudden death for the title is on."), _("Play it"), row.match.get_absolute_url())
    if is_begun(row):
        return _wait(season, _("The sudden death is being fought."))
    here = season.get_absolute_url() + "#sudden-death"
    return Step("sudden_death", _("You are tied for a title: one match decides it."), _("Say that you are here"), here)


def _market(stable: Stable, cycle: Cycle) -> Step:
    if stable.season.state == Season.State.RECRUITING and entering([stable], cycle.number):
        sentence = _("The market is open until the season starts: buy ’Mechs and pilots.")
        return Step("market", sentence, _("To the market"), _stable_page("market", stable))
    return market_step(stable, cycle.number)


def market_step(stable: Stable, cycle: int, lack: str = "") -> Step:
    """Return what an owner does while the market of a running season's cycle is open; at most three queries.

    `lack` says what the crew for the coming match is without, "" where it is complete or the caller does not know.
    """
    season = stable.season
    if not entering([stable], cycle):
        return _wait(season, _("You sit this cycle out."))
    if stable.ready_for == ready_mark(cycle):
        return _wait(season, _("You are ready; the market closes when everybody is."))
    can_make_ready = False
    assets = list(Asset.objects.filter(stable=stable, sold_at=None).order_by("id"))
    notes = left_over(season, cycle, assets)
    garage = _stable_page("garage", stable) if notes else ""
    if lack:
        notes.insert(0, _("Your crew is not complete: {lack}").format(lack=lack))
    if not any(asset.kind == Asset.Kind.UNIT for asset in assets):
        can_make_ready = plays_alone(season.pk)
        if not lack:
            notes.insert(0, _needed(season, cycle))
    sentence = _("The market is open: buy, repair, then say that you are ready.")
    address, button = _stable_page("market", stable), _("To the market")
    return Step("market", sentence, button, address, " ".join(notes), True, can_make_ready, bool(lack), garage)


def _needed(season: Season, cycle: int) -> str:
    """Return how many ’Mechs and pilots the matches from a cycle on take."""
    sizes = {units_a_side(name) for name in season.rules.cycles[cycle - 1 :]}
    if sizes == {1}:
        return _("You need one ’Mech and one pilot.")
    if sizes == {2}:
        return _("You need two ’Mechs and two pilots.")
    return _("You need one ’Mech and one pilot, or two of each in two-a-side cycles.")


def _round(stable: Stable, side: FixtureSide | None) -> Step:
    season = stable.season
    if side is None:
        return _wait(season, _("The other matches of this round are not over yet."))
    fixture = side.fixture
    number = fixture.round.number
    if not side.forfeits and not hasattr(side, "line_up"):
        sentence = _("Round {number}: choose who fights.").format(number=number)
        return Step("line_up", sentence, _("To your line-up"), _stable_page("line_ups", stable))
    if fixture.match is not None and fixture.match.is_over:
        return _wait(season, _("Your match is being settled."))
    if fixture.mode == Fixture.Mode.AI:
        return _wait(season, _("The AI plays your match."))
    here = reverse("stables:fixture", args=[season.slug, fixture.pk])
    if fixture.match is not None:
        sentence = _("Round {number}: your match is on.").format(number=number)
        return Step("play", sentence, _("Play"), reverse("matches:play", args=[fixture.match.public_id]))
    if fixture.mode == Fixture.Mode.TABLE and fixture.state == Fixture.State.SEALED:
        sentence = _("Round {number}: play your match at the table, then report it.").format(number=number)
        return Step("table", sentence, _("To the match"), here)
    if fixture.state == Fixture.State.LINE_UPS and not plays_alone(season.pk):
        sentence = _("Round {number}: your line-up is in; the other one is awaited.").format(number=number)
        return Step("others", sentence, _("To the match"), here)
    return _wait(season, _("Your match is being prepared."))


def report_step(stable: Stable) -> Step | None:
    """Return what the reports of a stable's oldest open match ask of its owner; None when there is no report.

    One query, or four if a match of three stables or more has two reports.
    """
    reported_match = next(iter(reported_of(stable)), None)
    return _of_reports(stable, reported_match) if reported_match is not None else None


def _of_reports(stable: Stable, reported_match: Reported) -> Step:
    here = reverse("stables:fixture", args=[stable.season.slug, reported_match.fixture.pk])
    task = owner_task(reported_match, stable)
    if task is not None:
        return Step("report", task, _("To the reports"), here)
    return Step("others", awaited(reported_match, stable) or "", _("To the match"), here)


def _stable_page(name: str, stable: Stable) -> str:
    return reverse(f"stables:{name}", args=[stable.season.slug, stable.slug])


def _wait(season: Season, sentence: str) -> Step:
    """Return the step of an owner who waits while the site works on the season."""
    return Step("wait", sentence, _("Go on as soon as it is done"), reverse("stables:season_next", args=[season.slug]))


def onward(stable: Stable, address: str) -> str:
    """Return the address for an owner after a step: the next step's if they play alone, otherwise `address`."""
    if plays_alone(stable.season_id):
        return reverse("stables:season_next", args=[stable.season.slug])
    return address


def evenings_of(user: Any) -> list[Stable]:
    """Return a person's stables in seasons in play that no other person plays in, the newest first; one query."""
    stables = Stable.objects.filter(owner=user, left_in_cycle=None, season__state__in=IN_PLAY)
    stables = stables.exclude(season__state=Season.State.PROVISIONAL)
    others = Stable.objects.filter(is_ai=False, left_in_cycle=None).exclude(owner=user)
    return list(
        stables.exclude(season__in=others.values("season"))
        .select_related("season")
        .defer("season__secret")
        .order_by("-season_id")
    )
