"""The page on which an organiser acts on an open match: which acts are possible now, and on whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.campaign.season.directing import may_declare_forfeit
from rules.campaign.states import FIXTURE
from rules.core.refusals import Refusal, SeasonRefused
from rules.wording import sentence
from rules.wording.isolation import isolated
from stables.forms.directing import DirectForm, ExcuseForm, ForfeitForm, StableReasonForm, SwapForm
from stables.forms.reason import ReasonForm
from stables.models import Fixture, FixtureSide
from stables.presenters.fixture import is_open, title_of
from stables.presenters.season_parts import home_crumb
from stables.selectors.definitions import catalogue_of
from stables.selectors.pairings import history_of
from stables.selectors.seating import has_person
from stables.services.fixtures.swaps import doubts_of, partners, require_swap
from web.crumbs import Link
from web.languages.reader import translate
from web.languages.words import sort_key


@dataclass(frozen=True)
class SwapChoice:
    """A possible exchange: the stable that leaves a match, the one that comes instead, and what is unusual about it."""

    leaves: FixtureSide
    comes: FixtureSide
    doubts: tuple[Refusal, ...]


def arenas_of(fixture: Fixture) -> dict[str, str]:
    """Return the arenas of the season's catalogue: their bare names by their keys."""
    return {key: str(arena["name"]) for key, arena in catalogue_of(fixture.round.cycle.season).arenas.items()}


def swap_choices(fixture: Fixture) -> list[SwapChoice]:
    """Return every exchange of a side that is possible for a fixture now; at most two queries.

    Fetch `fixture` with its round, cycle and season, and its sides with owners and line-ups.
    """
    if fixture.kind == Fixture.Kind.MATCH and not FIXTURE.may("swap", fixture.state):
        return []
    sides = list(fixture.sides.all())
    placed = FixtureSide.objects.filter(fixture__round=fixture.round_id).exclude(fixture=fixture)
    others: dict[int, list[FixtureSide]] = {}
    for side in placed.select_related("stable__owner", "line_up", "fixture").order_by("fixture__number", "id"):
        others.setdefault(side.fixture_id, []).append(side)
    if not others:
        return []
    history = history_of(fixture.round.cycle)
    found = []
    for theirs in others.values():
        rival = theirs[0].fixture
        if rival.kind == Fixture.Kind.MATCH and not FIXTURE.may("swap", rival.state):
            continue
        for leaves in _first_of_each(sides):
            for comes in _first_of_each(theirs):
                ours, incoming = partners(sides, leaves.stable_id), partners(theirs, comes.stable_id)
                try:
                    require_swap(fixture, rival, [*sides, *theirs], ours, incoming, history)
                except SeasonRefused:
                    continue
                rival.round = fixture.round
                doubts = doubts_of(fixture, rival, sides, theirs, ours, incoming, history)
                found.append(SwapChoice(leaves, comes, tuple(doubts)))
    return found


def _first_of_each(sides: Iterable[FixtureSide]) -> list[FixtureSide]:
    """Return the first stable of each side of a match."""
    return list({side.side: side for side in reversed(list(sides))}.values())[::-1]


def doubt_sentences(doubts: Iterable[Refusal]) -> list[str]:
    """Return what is unusual about new pairings, in the reader's language."""
    return [sentence(doubt.code, doubt.parameters, translate) for doubt in doubts]


def directing_context(fixture: Fixture, user: Any, typed: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the context of the page: the form of each act that is possible now, None for the others.

    An organiser who owns a stable of the match gets the first form only. `typed` has the bound form of a refused act,
    by its name. `fixture` comes from `find_fixture`. At most four queries.
    """
    typed = typed or {}
    season = fixture.round.cycle.season
    sides = list(fixture.sides.all())
    is_bye = fixture.kind == Fixture.Kind.BYE
    acts = not is_bye and is_open(fixture) and not fixture.reports.exists()
    playing = [(side.stable.number, side.stable.name) for side in sides if not side.forfeits]
    sealed = [
        (side.stable.number, side.stable.name)
        for side in sides
        if hasattr(side, "line_up") and not side.forfeits and has_person(side.stable)
    ]
    is_free = not any(side.is_played_by(user) for side in sides)
    swaps = swap_choices(fixture) if (is_bye or acts) and is_free else []
    may_forfeit = acts and _may_forfeit(fixture, sides)
    may_reopen = acts and _is_hidden(fixture) and bool(sealed)
    return {
        "season": season,
        "fixture": fixture,
        "title": title_of(fixture, sides),
        "is_open": acts or bool(swaps),
        "direct": typed.get("direct") or (direct_form(fixture) if acts else None),
        "is_made": fixture.match_id is not None,
        "excuse": typed.get("excuse") or (ExcuseForm(playing) if acts and is_free else None),
        "withdraw_excuse": typed.get("withdraw_excuse")
        or (ReasonForm(prefix_of_ids="withdraw-excuse") if acts and is_free and fixture.excused_until else None),
        "forfeit": typed.get("forfeit") or (ForfeitForm(playing) if may_forfeit and is_free else None),
        "reopen": typed.get("reopen") or (reopen_form(sealed) if may_reopen and is_free else None),
        "swap": typed.get("swap") or (swap_form(swaps) if swaps else None),
        "doubts": sorted({line for choice in swaps for line in doubt_sentences(choice.doubts)}, key=sort_key),
        "crumbs": [
            home_crumb(),
            Link(season.name, season.get_absolute_url()),
            Link(title_of(fixture, sides), fixture.get_absolute_url()),
        ],
    }


def direct_form(fixture: Fixture, data: Mapping[str, str] | None = None) -> DirectForm:
    """Return the form of a match's date, mode, arenas and table."""
    return DirectForm(fixture, {key: isolated(name) for key, name in arenas_of(fixture).items()}, data)


def reopen_form(stables: Iterable[tuple[int, str]], data: Any = None) -> StableReasonForm:
    """Return the form that opens a sealed line-up again."""
    return StableReasonForm(stables, "reopen", data)


def swap_form(choices: Iterable[SwapChoice], data: Any = None) -> SwapForm:
    """Return the form of an exchange, which names the stables that can leave and those that can come."""
    leaving: dict[int, str] = {}
    coming: dict[int, str] = {}
    for choice in choices:
        leaving[choice.leaves.stable.number] = choice.leaves.stable.name
        coming[choice.comes.stable.number] = choice.comes.stable.name
    return SwapForm(leaving.items(), [(key, isolated(name)) for key, name in coming.items()], data)


def _is_hidden(fixture: Fixture) -> bool:
    return FIXTURE.may("take_back", fixture.state)


def _may_forfeit(fixture: Fixture, sides: Iterable[FixtureSide]) -> bool:
    by_stable = {side.stable_id: side.side for side in sides}
    has_match = fixture.match_id is not None
    return any(
        may_declare_forfeit(
            by_stable,
            [one for one, side in by_stable.items() if side == name],
            has_match,
            table_only=fixture.round.cycle.season.rules.table_only,
        )
        for name in by_stable.values()
    )
