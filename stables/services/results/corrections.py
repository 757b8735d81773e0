"""Corrections of settled results: an organiser voids, replaces or corrects one, with a reason.

The organiser first sees the changes; the correction is applied only if they are still the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from people.services.accounts import notify_bounded
from rules.campaign.results.corrections import seal_of, void
from rules.campaign.states import CYCLE, FIXTURE, SEASON
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Correction, Cycle, Fixture, FixtureSide, Result, Season, SeasonRole, Stable, Title
from stables.selectors.fixtures import sides_with_line_ups, sides_with_owners
from stables.services.base import log
from stables.services.base.job_requests import ask_for
from stables.services.base.locks import lock_season
from stables.services.base.news import place_of
from stables.services.results.contests import contest_of, outcome_of, read_report
from stables.services.results.effects import Change, Document, change
from stables.services.results.outcomes import forfeited
from stables.services.results.result_books import lock_stables
from stables.services.results.rulings import office_of, reason_of, takes_part
from stables.services.results.settlement import lock_played_in
from stables.services.season.endings import take_back_ceremony
from stables.services.season.staying_ready import lacking_of_ready, tell_lost

KINDS = (Correction.Kind.VOID, Correction.Kind.REPLACE, Correction.Kind.CORRECT)

LOG_CODES: dict[str, str] = {
    Correction.Kind.VOID: "result_voided",
    Correction.Kind.REPLACE: "result_replaced",
    Correction.Kind.CORRECT: "result_corrected",
}


@dataclass(frozen=True)
class Wanted:
    """The correction that an organiser wants; `kind` is one of KINDS.

    Every kind except "void" needs a `report` (rules.campaign.results.reports). "replace" may have in `forfeits` the
    numbers of the stables that forfeit instead; then the report is not read.
    """

    kind: str
    report: object = None
    forfeits: tuple[int, ...] = ()


@dataclass(frozen=True)
class Foreseen:
    """The changes that a correction would make, as stables.text.results reads them, and the seal to make it with."""

    effects: tuple[Document, ...]
    seal: str


@dataclass(frozen=True)
class Corrected:
    """A correction: its number among those of the result, and its changes, as stables.text.results reads them."""

    number: int
    effects: tuple[Document, ...]


@dataclass(frozen=True)
class Waived:
    """A waived debt of a stable, in Stones."""

    stable_id: int
    amount: int


def foresee(*, fixture_id: int, wanted: Wanted, user: Any, now: datetime | None = None) -> Foreseen:
    """Return what a correction would change: the correction is made and rolled back.

    Raises PermissionDenied for anybody except an organiser, SeasonRefused (referee_takes_part, result_not_settled,
    cycle_is_closing, results_are_final, titles_decided, forfeit_of_nobody, report_too_early, and the codes of
    rules.campaign.results.report_checks) or Malformed (bad_field, not_an_object, not_a_number).
    """
    with transaction.atomic():
        made = _make(fixture_id, wanted, "-", user, now or timezone.now())
        transaction.set_rollback(True)
    return Foreseen(tuple(made.effects), _seal(made))


@transaction.atomic
def correct(
    *, fixture_id: int, wanted: Wanted, reason: str, seal: str, user: Any, now: datetime | None = None
) -> Corrected:
    """Make the correction that was previewed under this seal, log it, and notify the owners of the stables that it
    changes. One that lacks a crew by it in an open market is not ready any more.

    An organiser with a stable in the fixture may correct it only if every organiser has one there. Raises
    PermissionDenied for anybody except an organiser, SeasonRefused (correction_changed, referee_takes_part,
    result_not_settled, cycle_is_closing, results_are_final, titles_decided, forfeit_of_nobody, report_too_early, and
    the codes of rules.campaign.results.report_checks) or Malformed (reason_missing, bad_field, not_an_object,
    not_a_number).
    """
    reason = reason_of(reason)
    season = lock_season(Fixture.objects.values_list("round__cycle__season_id", flat=True).get(pk=fixture_id))
    if not organises(user, season):
        # Nobody else makes the server count what each ready stable lacks.
        raise PermissionDenied
    before = lacking_of_ready(season)
    made = _make(fixture_id, wanted, reason, user, now or timezone.now())
    if seal != _seal(made):
        raise SeasonRefused("correction_changed")
    fixture, cycle = made.fixture, made.fixture.round.cycle
    place = place_of(fixture, sides_with_owners(fixture))
    facts = {**place, "reason": reason, "effects": made.effects}
    log.record(cycle.season, LOG_CODES[wanted.kind], facts, cycle=cycle, fixture=fixture, actor=user)
    for number, stable in made.stables.items():
        effects = [effect for effect in made.effects if int(effect["stable"]) == number]
        if effects and stable.owner is not None:
            facts = {"season": cycle.season.name, **place, "reason": reason, "effects": effects}
            address = fixture.get_absolute_url()
            notify_bounded([stable.owner], "correction_made", facts, address, about=str(number))
    tell_lost(season, before)
    return Corrected(made.number, tuple(made.effects))


def organises(user: Any, season: Season) -> bool:
    """Return whether a person may correct the season's results and waive debts: its organiser or a co-organiser."""
    return office_of(user, season) in ("organiser", "co_organiser")


def _others_organise(season: Season, fixture: Fixture) -> bool:
    """Return whether some organiser of the season took no part in the fixture and could correct it instead."""
    helpers = season.roles.filter(role=SeasonRole.Role.CO_ORGANISER).values_list("user_id", flat=True)
    return any(pk is not None and not takes_part(pk, fixture) for pk in (season.organiser_id, *helpers))


def _seal(made: Change) -> str:
    """Return the seal of a correction. It leaves out new debts, which depend on a stable's capital at the moment."""
    return seal_of([effect for effect in made.effects if effect["what"] != "owed"], made.number)


def _make(fixture_id: int, wanted: Wanted, reason: str, user: Any, now: datetime) -> Change:
    """Make a correction in the caller's transaction, with locks in the order season, cycle, round, fixture, stables.

    Raises what `foresee` lists.
    """
    ids = Fixture.objects.values_list("round__cycle__season_id", "round__cycle_id").get(pk=fixture_id)
    season = lock_season(ids[0])
    cycle = Cycle.objects.select_for_update(of=("self",), no_key=True).get(pk=ids[1])
    _, fixture = lock_played_in(fixture_id)
    fixture.round.cycle.season = season
    if not organises(user, season):
        raise PermissionDenied
    if takes_part(user, fixture) and _others_organise(season, fixture):
        raise SeasonRefused("referee_takes_part")
    result = Result.objects.filter(fixture=fixture).prefetch_related("corrections").first()
    if result is None or not FIXTURE.may("correct", fixture.state):
        raise SeasonRefused("result_not_settled")
    CYCLE.require("correct_result", cycle.state, "cycle_is_closing")
    _require_open_results(season)
    sides = sides_with_line_ups(fixture)
    stables = lock_stables(season.stables.all())
    document = _document(fixture, sides, result, wanted)
    before = _champions(season)

    def tell_titles(made: Change) -> None:
        _tell_titles(made, before, _champions(season))

    made = change(
        fixture, result, stables, document, wanted.kind, reason=reason, user=user, now=now, tell_more=tell_titles
    )
    _ask_for_titles_again(season, made)
    return made


_decided: list[Callable[[Season, str], Any]] = []


def register(decided: Callable[[Season, str], Any]) -> None:
    """Register what decides a title by the books; the standings, which stand above results, do."""
    _decided[:] = [decided]


Standing = dict[tuple[str, int, str], tuple[str, dict[str, str]]]
"""(kind of title, number of the stable, code of the individual or "") -> "title_won" or "title_tied", and the names."""


def _champions(season: Season) -> Standing:
    """Return who holds the titles by the books, or is tied for them; {} before the last result."""
    found: Standing = {}
    if season.state not in (Season.State.SUDDEN_DEATH, Season.State.PROVISIONAL):
        return found
    for kind in Title.Kind.values:
        title = _decided[0](season, kind)
        standing = [("title_won", each.stable, each.asset) for each in title.holders]
        is_pilot = kind == Title.Kind.PILOT
        standing += [("title_tied", each.stable, each.asset if is_pilot else None) for each in title.fighters]
        for what, stable, asset in standing:
            names = {"stable_name": stable.name, **({"name": asset.label} if asset is not None else {})}
            found[kind, stable.number, asset.code if asset is not None else ""] = what, names
    return found


def _tell_titles(made: Change, before: Standing, after: Standing) -> None:
    """Add to the effects who is champion by the corrected books, and who is not any more."""
    for key in sorted({*before, *after}):
        (was, names), (is_now, also) = (standing.get(key, ("", {})) for standing in (before, after))
        what = is_now or "title_lost"
        if was != is_now and not (was == "title_tied" and not is_now):
            kind, number, code = key
            made.effects.append({"what": what, "stable": number, "individual": code, "title": kind, **names, **also})


def _require_open_results(season: Season) -> None:
    """Raise SeasonRefused (results_are_final, titles_decided) if the results of a season are final.

    A season that has a title before its end was here before seasons stayed open to corrections.
    """
    SEASON.require("correct_result", season.state, "results_are_final", state=season.state)
    if Title.objects.filter(season=season).exists():
        raise SeasonRefused("titles_decided")


def _ask_for_titles_again(season: Season, made: Change) -> None:
    """Let the corrected books decide the titles, if the season has decided them or does so now."""
    take_back_ceremony(season)
    if season.state == Season.State.SUDDEN_DEATH:
        ask_for(season, "stables.award_titles", f"season:{season.pk}:titles:{made.key}")


def _document(fixture: Fixture, sides: list[FixtureSide], held: Result, wanted: Wanted) -> Document:
    if wanted.kind not in KINDS:
        raise Malformed("bad_field", field="kind")
    if wanted.forfeits and wanted.kind != Correction.Kind.REPLACE:
        raise Malformed("bad_field", field="forfeits")
    if wanted.kind == Correction.Kind.VOID:
        return void(held.current)
    if wanted.forfeits:
        return _forfeit(fixture, sides, held, wanted.forfeits)
    report = read_report(contest_of(fixture, sides), wanted.report)
    return outcome_of(fixture, sides, report, Result.Source.ORGANISER, held)


def _forfeit(fixture: Fixture, sides: list[FixtureSide], held: Result, numbers: tuple[int, ...]) -> Document:
    """Return the result in which exactly these stables forfeit a match of two sides (Q-157).

    Raises SeasonRefused (forfeit_of_nobody) for other stables or another number of sides, and if both sides would
    still be ready.
    """
    known = {side.stable.number for side in sides}
    if not set(numbers) <= known or len({side.side for side in sides}) != 2:
        raise SeasonRefused("forfeit_of_nobody")
    for side in sides:
        side.forfeits = FixtureSide.Forfeit.RULED if side.stable.number in numbers else ""
    if len({side.side for side in sides if not side.forfeits}) > 1:
        raise SeasonRefused("forfeit_of_nobody")
    return forfeited(fixture, sides, Result.Source.ORGANISER, held)


@transaction.atomic
def waive_debt(*, stable_id: int, reason: str, user: Any) -> Waived:
    """Waive the debt that corrections left a stable, as an organiser, and log it.

    Raises PermissionDenied for anybody except an organiser, SeasonRefused (nothing_owed) or Malformed
    (reason_missing).
    """
    season = lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
    stable = Stable.objects.select_for_update(of=("self",), no_key=True).get(pk=stable_id)
    if not organises(user, season):
        raise PermissionDenied
    reason = reason_of(reason)
    if stable.owed <= 0:
        raise SeasonRefused("nothing_owed", name=stable.name)
    amount, stable.owed = stable.owed, 0
    stable.save(update_fields=["owed"])
    log.record(season, "debt_waived", {"stable": stable.name, "amount": amount, "reason": reason}, actor=user)
    return Waived(stable.pk, amount)
