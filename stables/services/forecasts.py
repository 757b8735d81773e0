"""The forecast of a fixture: asked for at the reveal, counted by a job, made anew when what it depends on changes."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Q, QuerySet

from matches import forecasting
from rules import RULES_VERSION
from stables.models import Fixture, FixtureForecast, FixtureSide, Season
from stables.services.fixtures import SMALLEST_MATCH, sides_with_line_ups
from stables.services.playing import setup_of

BEFORE = 200
"""Play-outs for a fixture that is to be played: an even chance is then known within 7 percent."""

AFTERWARDS = 50
"""Play-outs for one that is over before anybody could ask, as those of the AI mostly are."""

MOST_LOOKED_AT = 24
"""So many fixtures without a forecast of these rules are looked for at once, and so many of the newest settled ones."""


def ask_for_forecast(fixture: Fixture, sides: Iterable[FixtureSide]) -> None:
    """Ask for the forecast of a fixture whose line-ups are in; for other line-ups, sides or rules it is another one.

    `sides` come with their line-ups. No query but those of the job's row.
    """
    ready = [side for side in sides if not side.forfeits]
    if len({side.side for side in ready}) < SMALLEST_MATCH:
        return
    line_ups = "-".join(str(side.line_up.pk) for side in ready)
    key = f"stables:fixture:{fixture.pk}:forecast:{RULES_VERSION}:{line_ups}"
    forecasting.ask("stables.forecast", key, fixture=fixture.pk)


def question_of(fixture_id: int) -> forecasting.Question | None:
    """What is to be counted for a fixture; None before the reveal, where nobody plays, and for unreadable old setups.

    The match that was made of the line-ups goes before them: who forfeits in the middle of it has still been in it.
    """
    fixture = Fixture.objects.select_related("round__cycle__season__release", "match").filter(pk=fixture_id).first()
    if fixture is None or fixture.kind != Fixture.Kind.MATCH or fixture.state == Fixture.State.LINE_UPS:
        return None
    match = fixture.match
    if match is not None:
        document = match.setup
    else:
        sides = [side for side in sides_with_line_ups(fixture) if not side.forfeits]
        if len({side.side for side in sides}) < SMALLEST_MATCH:
            return None
        document = setup_of(fixture, sides)
    setup = forecasting.readable(document)
    if setup is None:
        return None
    is_over = fixture.state == Fixture.State.SETTLED or (match is not None and match.is_finished)
    return forecasting.of_setup(
        FixtureForecast,
        {"fixture": fixture},
        setup,
        f"fixture/{fixture.pk}",
        AFTERWARDS if is_over else BEFORE,
    )


def questions_of(season: Season) -> list[forecasting.Question]:
    """What is to be counted for all fixtures of a season, in the order of their rounds; some queries for each."""
    fixtures = Fixture.objects.filter(round__cycle__season=season).order_by("round__cycle__number", "round", "id")
    questions = (question_of(fixture) for fixture in fixtures.values_list("pk", flat=True))
    return [question for question in questions if question is not None]


def ask_for_missing() -> None:
    """Ask for the forecasts that open fixtures and the newest settled ones do not have, or have of other rules.

    What is over keeps the forecast that it had. Four queries at most when nothing is missing.
    """
    if not forecasting.is_on():
        return
    ready = Count("sides__side", distinct=True, filter=Q(sides__forfeits="", sides__line_up__isnull=False))
    fixtures = Fixture.objects.filter(kind=Fixture.Kind.MATCH).annotate(ready=ready).order_by("-id")
    fixtures = fixtures.filter(ready__gte=SMALLEST_MATCH)
    revealed = fixtures.filter(state=Fixture.State.SEALED, round__cycle__season__state=Season.State.RUNNING)
    _ask(revealed.exclude(forecast__rules_version=RULES_VERSION)[:MOST_LOOKED_AT])
    newest = list(fixtures.filter(state=Fixture.State.SETTLED).values_list("pk", flat=True)[:MOST_LOOKED_AT])
    _ask(Fixture.objects.filter(pk__in=newest, forecast=None).order_by("-id"))


def _ask(fixtures: QuerySet[Fixture]) -> None:
    for fixture in fixtures.prefetch_related("sides__line_up"):
        sides = list(fixture.sides.all())
        if all(hasattr(side, "line_up") for side in sides if not side.forfeits):
            ask_for_forecast(fixture, sides)
