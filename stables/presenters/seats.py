"""The pages about who holds a stable's seat: hand-overs with their summaries, stand-ins, and programs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from rules.campaign.states import OPEN
from rules.wording.filling import say, signed
from stables.forms.standing_in import StandInForm
from stables.models import ExternalSeat, Fixture, HandOver, LedgerEntry, LineUp, Season, Stable
from stables.presenters.fixture import title_of
from stables.presenters.season_parts import fixtures, home_crumb, own_stable
from stables.selectors.seating import has_person
from stables.selectors.standing_in import open_sides, open_stand_ins
from stables.text import names as words
from stables.text.states import state_of
from web.crumbs import Link
from web.languages.reader import translate


def hand_over_context(stable: Stable, now: datetime | None = None) -> dict[str, Any]:
    """Return an owner's hand-overs: current and coming ones, and past ones (1 query)."""
    now = now or timezone.now()
    known = list(HandOver.objects.filter(stable=stable).order_by("-starts_at"))
    return {
        "season": stable.season,
        "stable": stable,
        "current": [each for each in known if _is_ahead(each, now)],
        "past": [each for each in known if not _is_ahead(each, now)],
        "crumbs": _crumbs(stable),
    }


def summary_context(stable: Stable, made: HandOver, now: datetime | None = None) -> dict[str, Any]:
    """Return what the AI did under a hand-over: matches with results, line-ups, and Stones with their causes."""
    now = now or timezone.now()
    until = min(made.ended_at or made.ends_at, now)
    entries = list(LedgerEntry.objects.filter(stable=stable, parameters__hand_over=made.pk).order_by("sequence"))
    line_ups = list(
        LineUp.objects.filter(
            side__stable=stable,
            source=LineUp.Source.HAND_OVER,
            sealed_at__gte=made.starts_at,
            sealed_at__lte=until,
        )
        .select_related("side__fixture__round__cycle")
        .prefetch_related("crews__unit", "crews__pilot")
        .order_by("sealed_at")
    )
    handed_in = [line_up.side.fixture_id for line_up in line_ups]
    settled = Fixture.objects.filter(
        sides__stable=stable,
        kind=Fixture.Kind.MATCH,
        result__settled_at__gte=made.starts_at,
        result__settled_at__lte=until,
    ).values_list("pk", flat=True)
    met = fixtures().select_related("round__cycle__season").filter(pk__in=[*handed_in, *settled]).order_by("pk")
    return {
        "season": stable.season,
        "stable": stable,
        "hand_over": made,
        "is_over": not _is_ahead(made, now),
        "until": until,
        "spent": -sum(min(entry.amount, 0) for entry in entries),
        "entries": [
            (entry, words.ledger_sentence(entry.cause, entry.parameters), signed(entry.amount)) for entry in entries
        ],
        "matches": [_match_view(fixture, stable) for fixture in met],
        "line_ups": [
            {
                "round": line_up.side.fixture.round,
                "fixture": line_up.side.fixture,
                "crews": [(crew.unit, crew.pilot) for crew in line_up.crews.all()],
            }
            for line_up in line_ups
        ],
        "crumbs": _crumbs(stable),
    }


def stand_in_form(stable: Stable, data: Any = None) -> StandInForm:
    """Return the form that names a stand-in for an open match of a stable, or for an evening; one query."""
    sides = open_sides(stable).prefetch_related("fixture__sides__stable")
    return StandInForm([(side.fixture_id, _match_name(side.fixture)) for side in sides], data)


def stand_in_context(stable: Stable, user: Any, form: StandInForm | None = None) -> dict[str, Any]:
    """Return who stands in for the owner of a stable, with the form to name somebody; at most five queries.

    Fetch `stable` with its season and owner.
    """
    rows = open_stand_ins(stable).prefetch_related("fixture__sides__stable")
    return {
        "season": stable.season,
        "stable": stable,
        "is_owner": stable.owner_id == user.pk,
        "stand_ins": [(row, "" if row.fixture is None else _match_name(row.fixture)) for row in rows],
        "form": form or stand_in_form(stable),
        "may_name": stable.season.state == Season.State.RUNNING and has_person(stable) and not user.is_guest,
        "crumbs": _crumbs(stable),
    }


def _match_name(fixture: Fixture) -> str:
    """Return a match by its round and pairing. Fetch the fixture with its round and cycle."""
    called = fixture.round
    return say(
        "Cycle {cycle}, round {round}: {pairing}",
        {"cycle": called.cycle.number, "round": called.number, "pairing": title_of(fixture, fixture.sides.all())},
        translate,
    )


def _match_view(fixture: Fixture, stable: Stable) -> dict[str, Any]:
    result = getattr(fixture, "result", None)
    own = next((side for side in fixture.sides.all() if side.stable_id == stable.pk), None)
    document = {} if result is None else result.current
    own_result = document.get("sides", {}).get(own.side, {}) if own is not None else {}
    return {
        "fixture": fixture,
        "title": title_of(fixture, fixture.sides.all()),
        "is_settled": result is not None,
        "state_name": state_of(fixture),
        "won": bool(document) and own is not None and document.get("winner") == own.side,
        "reputation": own_result.get("banked"),
    }


def seat_of(user: Any, season_slug: str, stable_slug: str, seat_id: int) -> ExternalSeat | None:
    """Return a seat that a program's account holds or held for a stable, None where it is not that account's."""
    own = ExternalSeat.objects.filter(pk=seat_id, user=user.pk, stable__slug=stable_slug)
    return own.filter(stable__season__slug=season_slug).select_related("stable").first()


def programs_context(season: Season, user: Any) -> dict[str, Any]:
    """Return the programs of a season, the owners who consent, and what the reader may do about each (3 queries)."""
    stables = list(season.stables.select_related("owner").order_by("number"))
    mine = own_stable(user, stables)
    seats = (
        ExternalSeat.objects.filter(stable__season=season)
        .select_related("user", "stable")
        .prefetch_related("consents")
        .order_by("-id")
    )
    shown: list[dict[str, Any]] = []
    for seat in seats:
        consenting = {stable.pk for stable in seat.consents.all()}
        others = [
            stable
            for stable in stables
            if stable.pk != seat.stable_id and has_person(stable) and stable.left_in_cycle is None
        ]
        shown.append(
            {
                "seat": seat,
                "consents": [stable for stable in others if stable.pk in consenting],
                "waits_for": [stable for stable in others if stable.pk not in consenting] if not seat.agreed_at else [],
                "can_consent": mine in others and mine.pk not in consenting and seat.ended_at is None,
                "can_step_down": seat.user_id == user.pk and seat.ended_at is None,
                "can_end": mine is not None and has_person(mine) and seat.ended_at is None,
            }
        )
    is_season_open = season.state in OPEN
    has_program = mine is not None and any(
        view["seat"].stable_id == mine.pk and view["seat"].ended_at is None for view in shown
    )
    return {
        "season": season,
        "mine": mine,
        "programs": shown,
        "can_propose": mine is not None and is_season_open and not has_program,
        "is_season_open": is_season_open,
        "crumbs": [home_crumb(), Link(season.name, season.get_absolute_url())],
    }


def _is_ahead(made: HandOver, now: datetime) -> bool:
    return made.ended_at is None and made.ends_at > now


def _crumbs(stable: Stable) -> list[Link]:
    season = stable.season
    return [
        home_crumb(),
        Link(season.name, season.get_absolute_url()),
        Link(stable.name, stable.get_absolute_url()),
    ]
