"""The forecast of a fixture: asked for at the reveal, counted by a job, and again when line-ups or rules change."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from jobs.models import Job
from matches.services import forecasts
from rules import RULES_VERSION
from rules.campaign.market.prices import TABLE
from rules.measuring.forecasts import code_hash
from stables.models import Fixture, FixtureForecast, FixtureSide, Season
from stables.selectors.fixtures import SMALLEST_MATCH, sides_with_line_ups
from stables.services.base.job_requests import turn_of
from stables.services.line_ups.match_setup import setup_of

BEFORE = 200
"""Play-outs for a fixture that is to be played: an even chance is then known within 7 percent."""

AFTERWARDS = 50
"""Play-outs for a fixture that is over before anybody could ask, like most fixtures of the AI."""

MOST_LOOKED_AT = 24
"""The most open fixtures that one look asks forecasts for, and the most settled ones, the newest first."""

JOB = "stables.forecast"
"""The job that counts the forecast of a fixture that is still to be played."""

AFTERWARDS_JOB = "stables.forecast_afterwards"
"""The job that counts the forecast of a finished fixture, after all forecasts of open ones."""


def ask_for_forecast(fixture: Fixture, sides: Iterable[FixtureSide]) -> None:
    """Ask for the forecast of a fixture whose line-ups are in, if at least two sides play.

    Other line-ups, sides or rules get another forecast. Fetch `sides` with their line-ups and the fixture with its
    season: then only the job's row takes queries.
    """
    ready = [side for side in sides if not side.forfeits]
    if fixture.round.cycle.season.rules.table_only:
        return
    if len({side.side for side in ready}) >= SMALLEST_MATCH:
        forecasts.ask(JOB, _key(fixture, ready), _turn(fixture), fixture=fixture.pk)


def renew(fixture: Fixture) -> None:
    """Delete the forecast of a fixture whose arena has changed after the reveal, and ask for another one."""
    FixtureForecast.objects.filter(fixture=fixture).delete()
    ask_for_forecast(fixture, sides_with_line_ups(fixture))


def _turn(fixture: Fixture) -> str:
    season = fixture.round.cycle.season
    return turn_of(season.pk, season.organiser_id)


def _keys(fixture: Fixture) -> str:
    """Return the prefix of the keys of all jobs for the forecast of a fixture."""
    return f"stables:fixture:{fixture.pk}:forecast:"


def _key(fixture: Fixture, ready: Iterable[FixtureSide]) -> str:
    """Return the job's key for the forecast of these line-ups in this arena by these rules and this code."""
    line_ups = "-".join(str(side.line_up.pk) for side in ready)
    arena = hashlib.sha256(fixture.arena_key.encode()).hexdigest()[:8]
    return f"{_keys(fixture)}{RULES_VERSION}:{code_hash()[:12]}:{line_ups}:{arena}"


def is_to_come(fixture: Fixture) -> bool:
    """Return whether a revealed fixture's forecast is queued or being counted; one query, none if forecasts are off."""
    if not forecasts.is_on() or fixture.state == Fixture.State.LINE_UPS:
        return False
    waiting = Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING), name__in=(JOB, AFTERWARDS_JOB))
    return waiting.filter(unique_key__startswith=_keys(fixture)).exists()


def pass_on_if_over(fixture_id: int) -> bool:
    """Pass the forecast of a finished fixture on to the job for finished ones, and return whether it was passed on.

    Raises Later while no forecasts are made.
    """
    fixtures = Fixture.objects.select_related("match", "round__cycle__season").defer("round__cycle__season__secret")
    fixture = fixtures.filter(pk=fixture_id).first()
    if fixture is None or not _is_over(fixture):
        return False
    forecasts.pass_on(AFTERWARDS_JOB, f"{_keys(fixture)}afterwards", _turn(fixture), fixture=fixture_id)
    return True


def _is_over(fixture: Fixture) -> bool:
    match = fixture.match
    return fixture.state == Fixture.State.SETTLED or (match is not None and match.is_over)


def request_of(fixture_id: int) -> forecasts.ForecastRequest | None:
    """Return the request for a fixture's forecast.

    None before the reveal, without a match to play, for a setup too old to be read, for an unknown id, and in a season
    for real tables only.
    """
    fixtures = Fixture.objects.select_related("round__cycle__season__release", "match", "forecast")
    fixture = fixtures.filter(pk=fixture_id).first()
    document = None if fixture is None else document_of(fixture)
    setup = None if document is None else forecasts.readable(document)
    if fixture is None or document is None or setup is None:
        return None
    is_over = _is_over(fixture)
    return forecasts.of_setup(
        FixtureForecast,
        {"fixture": fixture},
        setup,
        _seed(fixture),
        AFTERWARDS if is_over else BEFORE,
        stays=is_over and not _is_of_others(fixture, document),
    )


def document_of(fixture: Fixture) -> Mapping[str, Any] | None:
    """Return the setup of a fixture's match; None before the reveal, and where no match is played here.

    An existing match gives its own setup, because a side that forfeits in the middle of it was still part of it.
    Otherwise the line-ups give the setup, with three queries.
    """
    if fixture.kind != Fixture.Kind.MATCH or fixture.state == Fixture.State.LINE_UPS:
        return None
    if fixture.round.cycle.season.rules.table_only:
        return None
    if fixture.match is not None:
        document: Mapping[str, Any] = fixture.match.setup
        return document
    sides = sides_with_line_ups(fixture)
    if len({side.side for side in sides if not side.forfeits}) < SMALLEST_MATCH:
        return None
    return setup_of(fixture, sides)


def is_of(forecast: FixtureForecast, fixture: Fixture, document: Mapping[str, Any]) -> bool:
    """Return whether a forecast, by any version of the rules, was counted for this setup of its fixture."""
    setup = forecasts.readable(document)
    if setup is None:
        return False
    return forecast.fingerprint == forecasts.fingerprint_of(setup, _seed(fixture), counted=forecast)


def _is_of_others(fixture: Fixture, document: Mapping[str, Any]) -> bool:
    """Return whether the stored forecast is of other line-ups than this setup's, because a side has forfeited since.

    Without a forfeit only rules and code can have changed, which may also change how a setup is written.
    """
    forecast: FixtureForecast | None = getattr(fixture, "forecast", None)
    if forecast is None or not fixture.sides.exclude(forfeits="").exists():
        return False
    return not is_of(forecast, fixture, document)


def _seed(fixture: Fixture) -> str:
    return f"fixture/{fixture.pk}"


def requests_of(season: Season) -> list[forecasts.ForecastRequest]:
    """Return the requests for all fixtures of a season, in the order of their rounds; at most five queries for each."""
    fixtures = Fixture.objects.filter(round__cycle__season=season).order_by("round__cycle__number", "round", "id")
    questions = (request_of(fixture) for fixture in fixtures.values_list("pk", flat=True))
    return [question for question in questions if question is not None]


def ask_for_missing() -> None:
    """Ask for missing or unfinished forecasts of open fixtures and of the newest settled ones, if forecasts are on.

    Open fixtures also get a new forecast when theirs is by other rules or other code; settled ones keep theirs. At most
    MOST_LOOKED_AT of each are looked at. Two queries when nothing is missing, neither of which reads all fixtures ever
    played.
    """
    if not forecasts.is_on():
        return
    fixtures = Fixture.objects.filter(kind=Fixture.Kind.MATCH).order_by("-id")
    fixtures = fixtures.exclude(round__cycle__season__settings__dials=TABLE)
    is_missing = Q(forecast=None) | Q(forecast__counted__lt=F("forecast__wanted"))
    is_of_other_rules = ~Q(forecast__rules_version=RULES_VERSION, forecast__code=code_hash())
    revealed = fixtures.filter(state=Fixture.State.SEALED, round__cycle__season__state=Season.State.RUNNING)
    _ask(JOB, revealed.filter(is_missing | is_of_other_rules))
    newest = fixtures.filter(state=Fixture.State.SETTLED).values("pk")[:MOST_LOOKED_AT]
    _ask(AFTERWARDS_JOB, fixtures.filter(is_missing, pk__in=newest))


def _ask(job: str, fixtures: QuerySet[Fixture]) -> None:
    """Ask for the forecasts of the first MOST_LOOKED_AT of these fixtures in which at least two sides play."""
    ready = Count("sides__side", distinct=True, filter=Q(sides__forfeits="", sides__line_up__isnull=False))
    playing = fixtures.annotate(ready=ready).filter(ready__gte=SMALLEST_MATCH)
    for fixture in playing.prefetch_related("sides__line_up", "round__cycle__season")[:MOST_LOOKED_AT]:
        sides = [side for side in fixture.sides.all() if not side.forfeits]
        if all(hasattr(side, "line_up") for side in sides):
            key = _key(fixture, sides) if job == JOB else f"{_keys(fixture)}afterwards"
            forecasts.ask_for_what_is_missing(job, key, _turn(fixture), fixture=fixture.pk)
