"""Sheets to print of a season: the desk that offers them, rosters, unit cards, standings, reports, a round's sheets."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from catalogue.selectors.releases import entries
from catalogue.views.sheets import columns
from rules.core.digits import whole_number
from stables.models import Asset, Cycle, Fixture, FixtureSide, Season, Stable
from stables.presenters.charts.season import listed_fixtures
from stables.presenters.market.assets import asset_view
from stables.presenters.market.garage import unit_views
from stables.presenters.printing import sheets as facts
from stables.presenters.printing.evening import evening_of
from stables.presenters.printing.report_form import blank_sides, sides_to_report
from stables.presenters.season_parts import home_crumb, own_stable
from stables.presenters.standings import in_order, stable_rows
from stables.selectors.fixtures import arena_names
from stables.selectors.leaders import HEAVY
from stables.selectors.offices import office_in
from stables.text import names as words
from stables.views.reading.season import find_season
from web.crumbs import Link
from web.reached import full_address

MOST_SIDES, MOST_UNITS = 8, 4
"""The most sides of a blank report form, and the most units of each."""


@require_safe
def desk(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show everything of a season that can be printed; the reader's own stable comes first."""
    season = find_season(season_slug)
    stables = list(season.stables.order_by("number"))
    mine = own_stable(request.user, stables)
    newest = season.cycles.order_by("-number").first()
    context = {
        "season": season,
        "mine": mine,
        # Of people who play, the organiser alone: the others would cost a query.
        "judges": (mine is None or season.organiser_id == request.user.pk) and bool(office_in(season, request.user)),
        "stables": sorted(stables, key=lambda stable: mine is None or stable.pk != mine.pk),
        "own_units": [] if mine is None else mine.assets.filter(kind=Asset.Kind.UNIT, sold_at=None).order_by("id"),
        "cycle": newest,
        "fixtures": [] if newest is None else listed_fixtures(_fixtures_of(newest), mine),
        "arenas": entries(season.release, "arenas"),
        "crumbs": [home_crumb(), Link(season.name, season.get_absolute_url())],
    }
    return render(request, "stables/print_desk.html", context)


def _fixtures_of(cycle: Cycle) -> list[Fixture]:
    """Return the matches of a cycle, the newest round first, each with this cycle and its season; three queries."""
    sides = FixtureSide.objects.select_related("stable").order_by("id")
    matches = Fixture.objects.filter(round__cycle=cycle, kind=Fixture.Kind.MATCH)
    listed = matches.select_related("round", "match", "result").defer(*HEAVY)
    sided = listed.prefetch_related("result__corrections", Prefetch("sides", queryset=sides))
    found = list(sided.order_by("-round__number", "number"))
    for fixture in found:
        fixture.round.cycle = cycle
    return found


def _paper(season: Season, title: str, **more: Any) -> dict[str, Any]:
    """Return what every sheet shows, and `more` for this one."""
    back = reverse("stables:print_desk", args=[season.slug])
    return {"season": season, "title": title, "today": timezone.localdate(), "back": back, **more}


# A stable ----------------------------------------------------------------------------------------------------------


def _stable(request: HttpRequest, season_slug: str, stable_slug: str) -> tuple[Stable, bool]:
    """Return the stable with its season, and whether it is the reader's. Raises Http404."""
    season = find_season(season_slug)
    stable = get_object_or_404(Stable, season=season, slug=stable_slug)
    stable.season = season
    return stable, request.user.is_authenticated and stable.owner_id == request.user.pk


@require_safe
def roster(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show what a stable has, with room to write. Only its owner sees what is on which unit."""
    stable, is_owner = _stable(request, season_slug, stable_slug)
    season = stable.season
    assets = list(stable.assets.filter(sold_at=None, died_at=None).order_by("kind", "id"))
    mounted = {view["asset"].pk: view for view in unit_views(season, assets, False, False)} if is_owner else {}
    views = [asset_view(season, asset) for asset in assets]
    on = {asset.pk: asset.label for asset in assets if is_owner and asset.kind == Asset.Kind.UNIT}

    def of_kind(kind: str) -> list[dict[str, Any]]:
        return [
            view | {"mounted": mounted.get(view["asset"].pk), "on": on.get(view["asset"].assigned_to_id, "")}
            for view in views
            if view["asset"].kind == kind
        ]

    context = _paper(
        season,
        _("Roster of %(name)s") % {"name": stable.name},
        stable=stable,
        is_owner=is_owner,
        units=of_kind(Asset.Kind.UNIT),
        pilots=of_kind(Asset.Kind.PILOT),
        gear=of_kind(Asset.Kind.GEAR),
        rally_cards=of_kind(Asset.Kind.RALLY_CARD),
        lines=range(6),
    )
    return render(request, "stables/print_roster.html", context)


@require_safe
def stable_cards(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show the unit cards of a stable, all or those named by `unit`.

    Its owner also sees pilot and gear, unless `bare` is set.
    """
    stable, is_owner = _stable(request, season_slug, stable_slug)
    season = stable.season
    assets = list(stable.assets.filter(sold_at=None, died_at=None).order_by("id"))
    units = [asset for asset in assets if asset.kind == Asset.Kind.UNIT]
    is_bare = bool(request.GET.get("bare")) or not is_owner
    views = {} if is_bare else {view["asset"].pk: view for view in unit_views(season, assets, False, False)}
    wanted = set(request.GET.getlist("unit"))
    chosen = [unit for unit in units if not wanted or str(unit.pk) in wanted]
    aboard = [(unit, facts.aboard_in_garage(season, unit, views.get(unit.pk), stable.name)) for unit in chosen]
    context = _paper(
        season,
        _("Unit cards of %(name)s") % {"name": stable.name},
        cards=facts.cards_of(season, aboard),
        choices=[(unit.pk, unit.label, unit in chosen) for unit in units],
        can_be_bare=is_owner,
        is_bare=is_bare,
        **columns(),
    )
    return render(request, "stables/print_cards.html", context)


# A match -----------------------------------------------------------------------------------------------------------


@require_safe
def fixture_cards(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Show the unit cards of the line-ups that the reader may see, all or those of the stables named by `stable`."""
    fixture = facts.fixture_to_print(season_slug, fixture_id)
    season = fixture.round.cycle.season
    own = facts.own_side(fixture, request.user)
    sides = facts.open_sides(fixture, request.user)
    wanted = set(request.GET.getlist("stable"))
    chosen = [side for side in sides if not wanted or side.stable.slug in wanted]
    aboard = [
        (crew.unit, facts.aboard_of_crew(season, crew, side.stable.name, own is not None and side.pk == own.pk))
        for side in chosen
        for crew in facts.crews_of(side)
    ]
    context = _paper(
        season,
        _("Unit cards: %(match)s") % {"match": facts.title_of(fixture)},
        cards=facts.cards_of(season, aboard),
        stables=[(side.stable.slug, side.stable.name, side in chosen) for side in sides],
        is_sealed=fixture.state == Fixture.State.LINE_UPS,
        has_hand=own in chosen,
        **columns(),
    )
    return render(request, "stables/print_cards.html", context)


@require_safe
def fixture_report(request: HttpRequest, season_slug: str, fixture_id: int) -> HttpResponse:
    """Show the report form of a match to fill in by hand; units that the reader may not see yet are left blank."""
    fixture = facts.fixture_to_print(season_slug, fixture_id)
    cycle = fixture.round.cycle
    context = _paper(
        cycle.season,
        _("Report: %(match)s") % {"match": facts.title_of(fixture)},
        format_name=words.word(words.FORMATS, cycle.format),
        arena=arena_names(cycle.season, fixture.arena_key),
        table=fixture.table_number,
        sides=sides_to_report(fixture, request.user),
        has_flags=cycle.format == "capture_the_flag",
        has_tokens=cycle.format != "capture_the_flag",
        lines=range(3),
    )
    return render(request, "stables/print_report.html", context)


@require_safe
def blank_report(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show a blank report form for `sides` sides of `units` units, 2 of 2 by default. Raises Http404 outside limits."""
    season = find_season(season_slug)
    sides, units = _count(request, "sides", 2, MOST_SIDES), _count(request, "units", 1, MOST_UNITS)
    context = _paper(
        season,
        _("Report of a match"),
        sides=blank_sides(sides, units),
        has_flags=True,
        has_tokens=True,
        lines=range(3),
    )
    return render(request, "stables/print_report.html", context)


def _count(request: HttpRequest, name: str, least: int, most: int) -> int:
    asked = whole_number(request.GET.get(name, "2"), 2)
    if asked is None or not least <= asked <= most:
        raise Http404
    return asked


# A round -----------------------------------------------------------------------------------------------------------


@require_safe
def round_sheet(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the sheet of a round for the wall: the newest, or `round` of `cycle`. Raises Http404 without that round."""
    season = find_season(season_slug)
    evening = evening_of(season, timezone.now(), _round_asked(request))
    title = season.name
    if evening.round is not None:
        values = {"cycle": evening.round.cycle.number, "round": evening.round.number}
        title = _("Cycle %(cycle)s, round %(round)s") % values
    address = full_address(request, season.get_absolute_url())
    context = _paper(season, title, evening=evening, season_address=address)
    return render(request, "stables/print_round.html", context)


@require_safe
def table_signs(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show a sign for each table of a round, with the code that opens its page on a phone. Asks as `round_sheet`."""
    season = find_season(season_slug)
    evening = evening_of(season, timezone.now(), _round_asked(request))
    signs = [
        (meeting, full_address(request, reverse("stables:table", args=[season.slug, meeting.fixture.pk])))
        for meeting in evening.meetings
        if not meeting.is_bye and not meeting.is_over and meeting.fixture.mode == Fixture.Mode.TABLE
    ]
    context = _paper(season, _("Signs for the tables"), signs=signs)
    return render(request, "stables/print_tables.html", context)


def _round_asked(request: HttpRequest) -> tuple[int, int] | None:
    """Return the numbers of the cycle and the round that are asked for; None for the newest round."""
    if "round" not in request.GET and "cycle" not in request.GET:
        return None
    return _count(request, "cycle", 1, 99), _count(request, "round", 1, 99)


# The season --------------------------------------------------------------------------------------------------------


@require_safe
def standings(request: HttpRequest, season_slug: str) -> HttpResponse:
    """Show the season's table with capital and purses, and where and when the newest cycle's matches are played."""
    season = find_season(season_slug)
    rows = in_order(stable_rows(season).values())
    newest = season.cycles.order_by("-number").first()
    matches = [] if newest is None else listed_fixtures(reversed(_fixtures_of(newest)), None)
    numbers = sorted({number for row in rows for number in row.placings})
    context = _paper(
        season,
        _("Standings of %(name)s") % {"name": season.name},
        rows=[(row, [row.placings.get(number) for number in numbers]) for row in rows],
        numbers=numbers,
        cycle=newest,
        format_name="" if newest is None else words.word(words.FORMATS, newest.format),
        fixtures=[(row, arena_names(season, row.fixture.arena_key)) for row in matches],
    )
    return render(request, "stables/print_standings.html", context)
