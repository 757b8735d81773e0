"""One fixture's page: who meets whom, who decides, dates, line-ups after the reveal, the hash of the seed, the result.

Players of the fixture also get the forms for dates, modes and absent opponents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, Q
from django.http import Http404
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from matches.models import Match
from matches.presenters.forecasts import forecast_sentence, named, view_of
from matches.selectors.time_banks import absent_sides
from rules.campaign.season.appointments import DECIDED_BY_BOT, claims_from, latest_new_date, may_forfeit
from rules.campaign.states import UNDECIDED
from rules.wording.filling import say
from stables.models import (
    Asset,
    Crew,
    CrewCard,
    ExternalSeat,
    Fixture,
    FixtureForecast,
    FixtureSide,
    HandOver,
    LineUp,
    NoShowClaim,
    Proposal,
    Season,
)
from stables.presenters.season_parts import fixture_view, home_crumb
from stables.selectors.fixtures import arena_names
from stables.selectors.seating import Seating, StableSeat, agreed_to_ai, arrange, default_mode, has_person, running_at
from stables.selectors.seeds import fixture_commitment
from stables.selectors.standing_in import open_stand_ins
from stables.services.line_ups import forecasts
from stables.text import names as words
from stables.text.states import state_of
from web.crumbs import Link
from web.languages.reader import translate

SEATS: Mapping[str, str | Promise] = {
    "person": gettext_lazy("plays in person"),
    "ai": gettext_lazy("run by the AI"),
    "hand_over": gettext_lazy("the AI decides while the owner is away"),
    "program": gettext_lazy("a program plays"),
    "stand_in": gettext_lazy("the AI stands in"),
}
"""Holder of a seat (rules.campaign.season.appointments) -> who decides for the stable, in words."""


def find_fixture(season_slug: str, fixture_id: int) -> Fixture:
    """Return the fixture at this address with its round, cycle, season, match, result, claim, forecast and line-ups.

    Five queries. The match's setup and result are deferred. Raises Http404 when there is no such fixture, or its
    season is a draft.
    """
    cards = CrewCard.objects.filter(asset__kind=Asset.Kind.GEAR).select_related("asset").order_by("id")
    crews = Crew.objects.select_related("unit", "pilot").prefetch_related(Prefetch("cards", queryset=cards))
    sides = FixtureSide.objects.select_related("stable__owner", "line_up", "stand_in").prefetch_related(
        Prefetch("line_up__crews", queryset=crews.order_by("position"))
    )
    found = (
        Fixture.objects.select_related("round__cycle__season__release", "match", "result", "no_show", "forecast")
        .prefetch_related("result__corrections", Prefetch("sides", queryset=sides.order_by("id")))
        .defer("match__setup", "match__result")
        .filter(pk=fixture_id, round__cycle__season__slug=season_slug)
        .first()
    )
    if found is None or found.round.cycle.season.state == Season.State.DRAFT:
        raise Http404
    return found


def fixture_context(fixture: Fixture, user: Any, now: datetime | None = None) -> dict[str, Any]:
    """Return the context of the page of a fixture from `find_fixture`.

    At most six queries, three more if the AI plays by agreement, and about ten more after a forfeit.
    """
    now = now or timezone.now()
    cycle, season = fixture.round.cycle, fixture.round.cycle.season
    sides = list(fixture.sides.all())
    for side in sides:
        side.stable.season = season
    # Once a match is over, it does not matter who would decide now.
    proposals = _proposals(fixture) if is_open(fixture) else []
    seating = _seating(fixture, sides, now) if is_open(fixture) else Seating((), fixture.mode)
    own = next((side for side in sides if user.is_authenticated and side.stable.owner_id == user.pk), None)
    place = (cycle.number, fixture.round.number, fixture.number)
    match: Match | None = fixture.match
    forecast = _forecast(fixture, sides)
    return {
        "season": season,
        "fixture": fixture,
        "cycle": cycle,
        "format_name": words.word(words.FORMATS, cycle.format),
        "class_name": words.word(words.CLASSES, cycle.match_class),
        "title": title_of(fixture, sides),
        "fixture_view": fixture_view(fixture, fixture_commitment(season, *place)),
        "seats": [_seat_view(side, seating) for side in sides],
        "state_name": state_of(fixture),
        "arenas": arena_names(fixture.round.cycle.season, fixture.arena_key),
        "mode": seating.mode,
        "mode_name": Fixture.Mode(seating.mode).label,
        "mode_differs": seating.mode != fixture.mode and fixture.state != Fixture.State.SETTLED,
        "agreed_mode_name": fixture.get_mode_display(),
        "is_table": is_at_table(fixture, seating),
        "seed": None if match is None else match.revealed_seed,
        "is_without_seed": match is None
        and (fixture.state == Fixture.State.SETTLED or season.state == Season.State.CANCELLED),
        "line_ups": _line_ups(fixture, sides),
        "forecast": forecast,
        "is_forecast_to_come": forecast is None
        and fixture.kind == Fixture.Kind.MATCH
        and forecasts.is_to_come(fixture),
        "is_open": is_open(fixture),
        "own": own,
        "stood_in": _stood_in(fixture, sides, user),
        "can_hand_to_ai": own is not None and can_hand_to_ai(fixture, sides, own),
        "arranging": _arranging(fixture, sides, own, proposals, now) if own is not None and is_open(fixture) else None,
        "no_show": _no_show(fixture, sides, seating, own, now),
        "crumbs": [home_crumb(), Link(season.name, season.get_absolute_url())],
    }


def can_hand_to_ai(fixture: Fixture, sides: Iterable[FixtureSide], own: FixtureSide) -> bool:
    """Return whether the owner of `own` may let the AI play an open match: line-ups are in, and no other person plays.

    False when the AI plays it already, or `own` forfeits. No query on sides with their stables.
    """
    persons = [side for side in sides if has_person(side.stable)]
    is_sealed = is_open(fixture) and fixture.state == Fixture.State.SEALED
    return is_sealed and fixture.mode != Fixture.Mode.AI and not own.forfeits and persons == [own]


def _proposals(fixture: Fixture) -> list[Proposal]:
    """Return the proposals that wait for an answer, the newest first; two queries."""
    return list(
        fixture.proposals.filter(state=Proposal.State.OPEN)
        .select_related("stable")
        .prefetch_related("accepted_by")
        .order_by("-id")
    )


def title_of(fixture: Fixture, sides: Iterable[FixtureSide]) -> str:
    """Return who meets whom, as text: the names of the stables."""
    return " – ".join(side.stable.name for side in sides)


def is_at_table(fixture: Fixture, seating: Seating) -> bool:
    """Return whether a fixture is, or was, played with miniatures: then this site rolls no dice for it."""
    return fixture.match is None and Fixture.Mode.TABLE in (seating.mode, fixture.mode)


def is_open(fixture: Fixture) -> bool:
    """Return whether a fixture is a match still to be played, in a running season."""
    season = fixture.round.cycle.season
    is_played = fixture.state == Fixture.State.SETTLED or (fixture.match is not None and fixture.match.is_over)
    return fixture.kind == Fixture.Kind.MATCH and not is_played and season.state == Season.State.RUNNING


def _stood_in(fixture: Fixture, sides: Iterable[FixtureSide], user: Any) -> dict[str, Any] | None:
    """Return the side that the reader stands in on with its open row, None without one; one query if there is one."""
    side = next((each for each in sides if user.pk is not None and each.stand_in_id == user.pk), None)
    if side is None:
        return None
    row = open_stand_ins(side.stable).filter(Q(fixture=fixture) | Q(fixture=None), user=user).first()
    return {"side": side, "row": row}


# Seats ----------------------------------------------------------------------------------------------------------------


def _seating(fixture: Fixture, sides: Sequence[FixtureSide], now: datetime) -> Seating:
    """Return who decides for each stable that does not forfeit; two queries, up to five if the AI plays it all."""
    ids = [side.stable_id for side in sides]
    away = set(HandOver.objects.filter(running_at(now), stable__in=ids).values_list("stable", flat=True))
    agreed = ExternalSeat.objects.filter(stable__in=ids, ended_at=None).exclude(agreed_at=None).select_related("user")
    claim = claim_of(fixture)
    stood_in = {claim.absent_id} if claim is not None and claim.state == NoShowClaim.State.STAND_IN else set()
    # Where the season's own mode is the AI, nobody has to agree.
    is_asked = fixture.mode == Fixture.Mode.AI and default_mode(fixture.round.cycle.season) != Fixture.Mode.AI
    to_ai = agreed_to_ai(fixture) if is_asked else []
    ready = [side for side in sides if not side.forfeits]
    return arrange(fixture, ready, away, {seat.stable_id: seat.user for seat in agreed}, stood_in, to_ai)


def _seat_view(side: FixtureSide, seating: Seating) -> dict[str, Any]:
    """Return a side's stable, who decides for it, and whether its line-up is in."""
    seat: StableSeat | None = next((each for each in seating.seats if each.stable.pk == side.stable_id), None)
    return {
        "side": side,
        "stable": side.stable,
        "seat": seat,
        "decides": "" if seat is None else _decides(side, seat, seating.mode),
        "is_program": seat is not None and seat.holder == "program",
        "is_ready": hasattr(side, "line_up"),
    }


def _decides(side: FixtureSide, seat: StableSeat, mode: str) -> str | Promise:
    """Return who decides for a stable, in words. Where the AI plays the whole match, no person decides."""
    if seat.holder == "person" and side.stand_in is not None and mode != Fixture.Mode.AI:
        return say("{name} stands in", {"name": side.stand_in.get_username()}, translate)
    if seat.holder == "person" and mode == Fixture.Mode.AI:
        return SEATS["ai"] if side.stable.is_ai else gettext("the AI plays its match")
    return SEATS[seat.holder]


# Line-ups -------------------------------------------------------------------------------------------------------------


def _line_ups(fixture: Fixture, sides: Iterable[FixtureSide]) -> list[dict[str, Any]]:
    """Return the line-ups with units, pilots and gear; [] until all are in (Q-153).

    Rally hands and tokens stay hidden.
    """
    if fixture.state == Fixture.State.LINE_UPS:
        return []
    return [
        {
            "stable": side.stable,
            "flag": "" if side.line_up.source == LineUp.Source.OWNER else side.line_up.get_source_display(),
            "crews": [
                {"unit": crew.unit, "pilot": crew.pilot, "damage": crew.damage, "gear": list(crew.cards.all())}
                for crew in side.line_up.crews.all()
            ],
        }
        for side in sides
        if hasattr(side, "line_up")
    ]


def _forecast(fixture: Fixture, sides: Iterable[FixtureSide]) -> dict[str, Any] | None:
    """Return the forecast of a fixture from `find_fixture`; None before the reveal and while there is no forecast.

    Before the reveal a forecast would give the line-ups away. After a forfeit only a forecast for the stables that
    still play, or played, counts, and checking that takes about ten queries; otherwise there is no query.
    """
    stored: FixtureForecast | None = getattr(fixture, "forecast", None)
    if stored is None or fixture.state == Fixture.State.LINE_UPS:
        return None
    names: dict[str, str] = {}
    if any(side.forfeits for side in sides):
        # The names come from the document: a stable that forfeits in the middle of a match was part of it.
        document = forecasts.document_of(fixture)
        if document is None or not forecasts.is_of(stored, fixture, document):
            return None
        names = {side["id"]: side["name"] for side in document["sides"]}
    else:
        for side in sides:
            names[side.side] = f"{names[side.side]} + {side.stable.name}" if side.side in names else side.stable.name
    view = view_of(stored)
    return {"view": view, "rows": named(view, names), "sentence": forecast_sentence(view, names)}


# Dates, modes and absent players --------------------------------------------------------------------------------------


def _arranging(
    fixture: Fixture, sides: Sequence[FixtureSide], own: FixtureSide, proposals: Sequence[Proposal], now: datetime
) -> dict[str, Any]:
    """Return what a player of the fixture may propose and answer. No query."""
    can_sit_at_table = all(has_person(side.stable) for side in sides)
    only_table = fixture.round.cycle.season.rules.table_only
    modes = [] if fixture.match_id is not None or only_table else list(Fixture.Mode.choices)
    return {
        "proposals": [
            {
                "proposal": each,
                "is_mine": each.stable_id == own.stable_id,
                "have_i_accepted": any(stable.pk == own.stable_id for stable in each.accepted_by.all()),
            }
            for each in proposals
        ],
        "modes": [mode for mode in modes if mode[0] != Fixture.Mode.TABLE or can_sit_at_table],
        "earliest": for_input(now),
        "latest": for_input(fixture.play_due_at),
        "time_zone": timezone.get_current_timezone_name(),
    }


def claim_of(fixture: Fixture) -> NoShowClaim | None:
    """Return the claim that a player did not come, withdrawn or not; None if there was none.

    No query on a fixture from `find_fixture`.
    """
    return getattr(fixture, "no_show", None)


def _no_show(
    fixture: Fixture, sides: Sequence[FixtureSide], seating: Seating, own: FixtureSide | None, now: datetime
) -> dict[str, Any] | None:
    """Return the claim, and what the reader may do about an absent player; None if there is neither.

    At most one query.
    """
    claim = claim_of(fixture)
    names = {side.stable_id: side.stable for side in sides}
    is_undecided = claim is not None and claim.state in UNDECIDED
    view: dict[str, Any] = {}
    if claim is not None and claim.state != NoShowClaim.State.WITHDRAWN:
        view = {"claim": claim, "claimant": names[claim.claimant_id], "absent": names[claim.absent_id]}
    if own is not None and is_open(fixture):
        view |= _claiming(fixture, sides, seating, own, claim, now)
        if claim is not None and is_undecided:
            is_claimant = claim.claimant_id == own.stable_id
            view |= {
                "can_withdraw": is_claimant,
                "can_choose": is_claimant and claim.state == NoShowClaim.State.CHOICE,
                "can_forfeit": may_forfeit(
                    [side.side for side in sides],
                    fixture.match_id is not None,
                    table_only=fixture.round.cycle.season.rules.table_only,
                ),
                "can_appear": claim.absent_id == own.stable_id,
            }
    return view or None


def _claiming(
    fixture: Fixture,
    sides: Sequence[FixtureSide],
    seating: Seating,
    own: FixtureSide,
    claim: NoShowClaim | None,
    now: datetime,
) -> dict[str, Any]:
    """Return the stables that the reader may now claim absent, and the limits of the new date; {} if there are none.

    At most one query.
    """
    is_claimable = claim is None or claim.state in (NoShowClaim.State.NEW_DATE, NoShowClaim.State.WITHDRAWN)
    is_paused = fixture.round.cycle.season.paused_at is not None
    out = absent_sides(fixture.match) if fixture.match is not None else ()
    timed_out = [seat.stable for seat in seating.seats if seat.side in out and seat.stable.pk != own.stable_id]
    if timed_out and is_claimable and not is_paused:
        return {"can_claim": timed_out, "time_ran_out": True}
    appointment = fixture.scheduled_at or fixture.play_due_at
    others = [
        seat.stable for seat in seating.seats if seat.stable.pk != own.stable_id and seat.holder not in DECIDED_BY_BOT
    ]
    if claim is not None and claim.state == NoShowClaim.State.NEW_DATE:
        others = [stable for stable in others if stable.pk == claim.absent_id]
    is_first = claim is None or claim.new_date is None or any(stable.pk != claim.absent_id for stable in others)
    may = (
        bool(others)
        and seating.mode != Fixture.Mode.AI
        and hasattr(own, "line_up")
        and appointment is not None
        and now >= claims_from(appointment, fixture.round.confirm_due_at)
        and is_claimable
        and not is_paused
    )
    if not may:
        return {}
    latest = latest_new_date(now, [fixture.play_due_at, fixture.round.confirm_due_at])
    return {
        "can_claim": others,
        "is_first": is_first,
        "earliest": for_input(now),
        "latest": for_input(latest),
        "time_zone": timezone.get_current_timezone_name(),
    }


def for_input(moment: datetime | None) -> str:
    """Return a moment as a date field writes it, in the reader's time zone; empty for None."""
    return "" if moment is None else timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M")
