"""Whether the acts that notices of seasons ask for are done (people.services.acts), each by its person.

A notice about a match leads to its page, others to the page of a stable or a season: that is how they are recognized.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from jobs.models import Job
from people.models import Notice
from people.services import acts
from rules.campaign.season.appointments import moment_text
from rules.campaign.states import OPEN, UNDECIDED
from stables.models import (
    Coming,
    Cycle,
    ExternalSeat,
    Fixture,
    FixtureSide,
    NoShowClaim,
    Report,
    Season,
    SeasonRole,
    SkippedCycle,
    Stable,
    StandIn,
    SuddenDeath,
    WaitingPlace,
    Webhook,
)
from stables.selectors.crews import ready_mark
from stables.selectors.notices.deadlines import due_in_markets, due_in_matches, due_in_sudden_deaths
from stables.selectors.notices.places import place_in, season_of
from stables.selectors.proposals import open_proposals_of
from stables.selectors.standing_in import open_matches

TO_PLAY = ("match_ready", "match_near", "reminder_match")
TO_REPORT = ("report_names_you", "report_due", "report_reminder")
PLAY = (*TO_PLAY, *TO_REPORT, "stand_in_yours")
"""Done with the report of the person's side; all notices of matches are done with the match.

Who is asked to play has done so with anybody's report: that asks the others for a report of theirs, or to confirm it.
"""
LINE_UPS = ("reminder_line_up", "fixture_line_up_reopened")
"""What asks for a line-up and leads to the match; `line_up_due` leads to the stable."""
LINE_UP = "line_up"
"""The name of the act that LINE_UPS and `line_up_due` ask for."""
MARKETS = ("market_open", "reminder_market", "ready_ended")
SHOP = "shop"
"""The name of the act that MARKETS ask for."""
PROPOSALS = ("date_proposed", "mode_proposed")
CLAIMS: Mapping[str, Sequence[str]] = {"no_show_claimed": UNDECIDED, "no_show_choice": (NoShowClaim.State.CHOICE,)}
"""Code -> the states of a claim in which something is left to do."""
OF_MATCHES = (*PLAY, *LINE_UPS, *PROPOSALS, *CLAIMS, "report_disputed", "ruling_wanted")

Sides = dict[int, list[dict[str, Any]]]


# Matches --------------------------------------------------------------------------------------------------------------


def matches_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the notices of matches with nothing left to do; four queries at most."""
    fixture_of = {notice.pk: place_in(notice).get("fixture_id") for notice in notices}
    wanted = {pk for pk in fixture_of.values() if pk is not None}
    sides = _sides(wanted)
    codes = {notice.code for notice in notices}
    claims: dict[int, str] = {}
    if codes & CLAIMS.keys():
        claims = dict(NoShowClaim.objects.filter(fixture__in=wanted).values_list("fixture", "state"))
    asked: set[tuple[int, int]] = set()
    if codes & set(PROPOSALS):
        stables = {side["stable"] for listed in sides.values() for side in listed}
        asked = {(each.stable_id, each.fixture_id) for each in open_proposals_of(stables)}
    offices = _offices(notices, SeasonRole.Role.values) if "ruling_wanted" in codes else set()
    for notice in notices:
        fixture_id = fixture_of[notice.pk]
        listed = sides.get(fixture_id, []) if fixture_id is not None else []
        own = [side for side in listed if notice.user_id in (side["stable__owner"], side["stand_in"])]
        if not listed or (notice.code in TO_PLAY and any(side["has_reported"] for side in listed)):
            yield notice.pk
        elif notice.code in CLAIMS:
            if claims.get(listed[0]["fixture"]) not in CLAIMS[notice.code]:
                yield notice.pk
        elif notice.code == "ruling_wanted":
            if own or (notice.user_id, place_in(notice).get("season_slug")) not in offices:
                yield notice.pk
        elif not own or all(_has_acted(notice.code, side, asked) for side in own):
            yield notice.pk


def stand_ins_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the words to stand-ins with nothing left to do: of a match, or of an evening; five queries at most.

    An evening asks until it is over and the last of its matches is, or until the stand-in ends.
    """
    evenings = [notice for notice in notices if "until" in notice.parameters]
    rows = StandIn.objects.filter(user__in={notice.user_id for notice in evenings}, ended_at=None, fixture=None)
    plays = Exists(open_matches().filter(stable=OuterRef("stable"), stand_in=OuterRef("user")))
    rows = rows.filter(Q(until__gt=timezone.now()) | Q(plays))
    ahead = set(rows.values_list("user", "stable__season__slug", "stable__name"))
    for notice in evenings:
        if (notice.user_id, place_in(notice).get("season_slug"), notice.parameters.get("stable")) not in ahead:
            yield notice.pk
    yield from matches_done([notice for notice in notices if "until" not in notice.parameters])


def _has_acted(code: str, side: dict[str, Any], asked: set[tuple[int, int]]) -> bool:
    if code in PROPOSALS:
        return (side["stable"], side["fixture"]) not in asked
    has_done = {**dict.fromkeys(PLAY, "has_reported"), **dict.fromkeys(LINE_UPS, "line_up")}
    return bool(side["forfeits"]) or (code in has_done and bool(side[has_done[code]]))


def _sides(fixtures: Iterable[int]) -> Sides:
    """Return the sides of those of the fixtures that are still open, by fixture; one query."""
    reported = Report.objects.filter(fixture=OuterRef("fixture"), stable=OuterRef("stable"))
    rows = (
        FixtureSide.objects.filter(fixture__in=fixtures, fixture__round__cycle__season__state=Season.State.RUNNING)
        .exclude(fixture__state=Fixture.State.SETTLED)
        .annotate(has_reported=Exists(reported))
        .values("fixture", "stable", "stable__owner", "stand_in", "forfeits", "line_up", "has_reported")
    )
    found: Sides = {}
    for row in rows:
        found.setdefault(row["fixture"], []).append(dict(row))
    return found


def line_ups_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the calls for line-ups that are handed in, or of rounds that go on without them; one query."""
    people = {notice.user_id for notice in notices}
    rows = FixtureSide.objects.filter(
        Q(stable__owner__in=people) | Q(stand_in__in=people),
        forfeits="",
        line_up=None,
        fixture__state=Fixture.State.LINE_UPS,
        fixture__round__cycle__season__state=Season.State.RUNNING,
    )
    round_of = ("fixture__round__cycle__number", "fixture__round__number")
    listed = rows.values_list("stable__owner", "stand_in", "stable__season__slug", "stable__slug", *round_of)
    missing = {(person, *where) for owner, other, *where in listed for person in (owner, other)}
    for notice in notices:
        place, said = place_in(notice), notice.parameters
        key = (notice.user_id, place.get("season_slug"), place.get("stable_slug"), said.get("cycle"), said.get("round"))
        if key not in missing:
            yield notice.pk


# Stables and seasons --------------------------------------------------------------------------------------------------


def markets_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the notices of markets that are closed, or in which the person has nothing left to do; two queries."""
    people = {notice.user_id for notice in notices}
    skipped = set(SkippedCycle.objects.filter(stable__owner__in=people).values_list("stable", "cycle_number"))
    rows = Stable.objects.filter(
        owner__in=people, left_in_cycle=None, season__state__in=OPEN, season__cycles__state=Cycle.State.MARKET
    ).values_list("pk", "owner", "season__slug", "season__cycles__number", "ready_for")
    shopping = {
        (owner, slug, number)
        for pk, owner, slug, number, ready in rows
        if ready != ready_mark(number) and (pk, number) not in skipped
    }
    for notice in notices:
        slug, cycle = place_in(notice).get("season_slug"), notice.parameters.get("cycle")
        if not any(
            (owner, season) == (notice.user_id, slug) and cycle in (None, number) for owner, season, number in shopping
        ):
            yield notice.pk


def places_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the offers of a place that was taken, left or offered to the next; one query."""
    people = {notice.user_id for notice in notices}
    offered = WaitingPlace.objects.filter(user__in=people).exclude(offered_until=None).values_list("user", "pk")
    known = set(offered)
    return [each.pk for each in notices if (each.user_id, place_in(each).get("waiting_id")) not in known]


def questions_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the questions who comes that are answered, or whose evening has begun; two queries."""
    people = {notice.user_id for notice in notices}
    answered = set(Coming.objects.filter(stable__owner__in=people).values_list("question", "stable"))
    rows = Stable.objects.filter(owner__in=people, season__coming__at__gt=timezone.now()).values_list(
        "owner", "name", "season__coming", "pk", "season__coming__at"
    )
    waiting = {
        (owner, name, moment_text(at)) for owner, name, question, pk, at in rows if (question, pk) not in answered
    }
    for notice in notices:
        if (notice.user_id, notice.parameters.get("stable"), notice.parameters.get("at")) not in waiting:
            yield notice.pk


def seats_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the questions about programs that have ended, or to which the person need not agree; three queries."""
    slugs = {place_in(notice).get("season_slug") for notice in notices} - {None}
    seats = ExternalSeat.objects.filter(
        agreed_at=None, ended_at=None, stable__season__slug__in=slugs, stable__season__state__in=OPEN
    )
    people = {notice.user_id for notice in notices}
    rows = Stable.objects.filter(owner__in=people, is_ai=False, left_in_cycle=None, season__slug__in=slugs)
    own = list(rows.values_list("owner", "season__slug", "pk"))
    waiting = set()
    for seat in seats.select_related("stable__season").prefetch_related("consents"):
        settled = {seat.stable_id, *(stable.pk for stable in seat.consents.all())}
        where = seat.stable.season.slug
        waiting |= {(owner, where, seat.stable.name) for owner, slug, pk in own if slug == where and pk not in settled}
    for notice in notices:
        if (notice.user_id, place_in(notice).get("season_slug"), notice.parameters.get("stable")) not in waiting:
            yield notice.pk


def sudden_deaths_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the calls to a sudden death that has begun or ended, or to which the person has come; two queries."""
    missing = {
        (*which, each["stable"])
        for which, contenders, appeared in _sudden_deaths(notices, match=None)
        for each in contenders
        if each["claim"] not in appeared
    }
    return _not_of_owners(notices, missing)


def fights_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the last calls to players whose match for a title has ended; two queries."""
    playing = {
        (*which, each["stable"])
        for which, contenders, _ in _sudden_deaths(notices, match__finished_at=None)
        for each in contenders
        if each["side"] and each["plays"] == "owner"
    }
    return _not_of_owners(notices, playing)


def _sudden_deaths(notices: Sequence[Notice], **wanted: Any) -> Iterable[tuple[tuple[str, str], Any, Any]]:
    """Yield season and title of the open sudden deaths that notices name, their contenders, and who came; one query."""
    slugs = {place_in(notice).get("season_slug") for notice in notices} - {None}
    rows = SuddenDeath.objects.filter(season__slug__in=slugs, season__state=Season.State.SUDDEN_DEATH, **wanted)
    listed = rows.filter(decided_at=None).values_list("season__slug", "kind", "contenders", "appeared")
    return (((slug, kind), contenders, appeared) for slug, kind, contenders, appeared in listed)


def _not_of_owners(notices: Sequence[Notice], waiting: Iterable[tuple[str, str, int]]) -> list[int]:
    """Return the notices to people who own none of these stables, each a season, a title and a number; one query."""
    slugs = {place_in(notice).get("season_slug") for notice in notices} - {None}
    rows = Stable.objects.filter(season__slug__in=slugs).values_list("season__slug", "number", "owner")
    owners = {(slug, number): owner for slug, number, owner in rows}
    asked = {(slug, title, owners.get((slug, number))) for slug, title, number in waiting}
    return [
        each.pk
        for each in notices
        if (place_in(each).get("season_slug"), each.parameters.get("title"), each.user_id) not in asked
    ]


def webhooks_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the notices of webhooks that are on again or gone, or that others look after now; two queries."""
    known = {notice.pk: place_in(notice).get("public_id") for notice in notices}
    wanted = {public_id for public_id in known.values() if public_id is not None}
    off = set(
        Webhook.objects.filter(public_id__in=wanted).exclude(disabled_at=None).values_list("public_id", flat=True)
    )
    return [pk for pk, public_id in known.items() if public_id not in off] + _without_office(notices)


def jobs_done(notices: Sequence[Notice]) -> Iterable[int]:
    """Return the notices of failed jobs that have been started again, or that others look after now; two queries."""
    wanted = {notice.parameters.get("number") for notice in notices}
    failed = set(Job.objects.filter(pk__in=wanted - {None}, state=Job.State.FAILED).values_list("pk", flat=True))
    again = [notice.pk for notice in notices if notice.parameters.get("number") not in failed]
    return again + _without_office(notices)


def _without_office(notices: Sequence[Notice]) -> list[int]:
    """Return the notices to people who do not run the season any more; one query."""
    offices = _offices(notices, [SeasonRole.Role.CO_ORGANISER])
    return [each.pk for each in notices if (each.user_id, place_in(each).get("season_slug")) not in offices]


def _offices(notices: Sequence[Notice], roles: Sequence[str]) -> set[tuple[int, Any]]:
    """Return (person, slug) of the organisers of the seasons, and of those with one of the roles; one query."""
    rows = Season.objects.filter(slug__in={place_in(each).get("season_slug") for each in notices} - {None})
    found = set()
    for slug, organiser, person, role in rows.values_list("slug", "organiser", "roles__user", "roles__role"):
        found |= {(organiser, slug), *([(person, slug)] if role in roles else [])}
    return found


def register() -> None:
    """Register these checks."""
    acts.register(OF_MATCHES, matches_done, due=due_in_matches)
    acts.register(TO_PLAY, matches_done, act="play", due=due_in_matches)
    acts.register(TO_REPORT, matches_done, act="report", due=due_in_matches)
    acts.register(["stand_in_yours"], stand_ins_done, apart=["stable", "until"], due=due_in_matches)
    # A person plays for one side of a match at most, so a match has one line-up to ask them for.
    of_match: dict[str, Any] = {"apart": ["cycle", "round", "match"], "act": LINE_UP, "place": season_of}
    of_match["due"] = due_in_matches
    acts.register(["line_up_due"], line_ups_done, **of_match)
    acts.register(LINE_UPS, matches_done, **of_match)
    acts.register(MARKETS, markets_done, apart=["cycle"], act=SHOP, place=season_of, due=due_in_markets)
    acts.register(["place_offered"], places_done)
    acts.register(["who_comes"], questions_done, apart=["stable", "at"])
    acts.register(["seat_proposed"], seats_done, apart=["stable"])
    of_titles: dict[str, Any] = {"apart": ["title"], "due": due_in_sudden_deaths}
    acts.register(["sudden_death_called", "sudden_death_extended"], sudden_deaths_done, **of_titles, act="appear")
    acts.register(["sudden_death_ends"], fights_done, **of_titles)
    acts.register(["webhook_turned_off", "webhook_gone", "webhook_maker_gone"], webhooks_done, act="webhook")
    acts.register(["job_failed"], jobs_done, apart=["number"])
