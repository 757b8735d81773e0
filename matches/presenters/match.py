"""The match page: everything that its template shows, gathered in a constant number of queries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext

from catalogue.presenters.miniatures import Miniature
from matches.host import Surroundings, surroundings_of
from matches.models import Match, MatchAction
from matches.presenters.attacks import AttackView, attack_view
from matches.presenters.board import BoardView, build_board
from matches.presenters.dials import UnitSheet, unit_sheets
from matches.presenters.forecasts import forecasts_of
from matches.presenters.miniatures import miniatures_in
from matches.presenters.overlay import Overlay, fire_line
from matches.presenters.replaying.curve import ChanceCurve, Curve, chance_curve_of, curve_of
from matches.presenters.replaying.replay import (
    Attack,
    Leap,
    Step,
    attacks_in,
    biggest_of,
    cut_into_steps,
    leaps_from,
    moment_of,
    moments,
    rounds_of,
)
from matches.selectors.sides import SideView, names_in, side_views
from matches.services.finished.continuing import moment_after
from matches.text import match as words
from rules import wording
from rules.competition.replay import shots_at
from rules.competition.setups import read_setup
from rules.core.digits import whole_number
from web.languages.reader import translate


@dataclass(frozen=True)
class EventView:
    """One line of a log: a sentence, and the arithmetic of an attack (None for other events).

    `aside` says how the event's action was answered if not by its player; empty if it was, or if that stays hidden.
    `side` is the one whose line it is, None for nobody's; `round` is 0 before the first.
    """

    kind: str
    sentence: str
    attack: AttackView | None = None
    aside: str = ""
    side: SideView | None = None
    round: int = 0


@dataclass(frozen=True)
class StepView:
    """The shown step, with the numbers of the steps before and after it, None when there is none.

    `count` is the number of all steps. `overlay` has the lines of fire of its attacks, and `shot` is the last of them,
    None in a step without one.
    """

    step: Step
    title: str
    events: tuple[EventView, ...]
    count: int
    previous: int | None
    next: int | None
    leaps: tuple[Leap, ...]
    overlay: Overlay
    shot: ShownAttack | None


@dataclass(frozen=True)
class Jump:
    """A link to the step of an attack. `text` names the attacking unit and `targets` those that it attacks.

    `dealt` are the clicks that it turned, and `destroys` says whether a target token fell.
    """

    step: Step
    text: str
    targets: str
    dealt: int
    destroys: bool


@dataclass(frozen=True)
class ShownAttack:
    """An attack in one line: who attacks whom, the dice with their sum, and what it did."""

    jump: Jump
    attack: AttackView


@dataclass(frozen=True)
class Turns:
    """The steps in which a unit has its turn, each with its title."""

    name: str
    steps: tuple[tuple[Step, str], ...]


@dataclass(frozen=True)
class MatchPage:
    """A match at one step. `headline` says who won and by what, "" for a match that was not played to its end.

    `goes_on_at` is the action after which it can be played on from there, None if it cannot.
    """

    match: Match
    title: str
    surroundings: Surroundings
    sides: tuple[SideView, ...]
    headline: str
    tie_break: str
    shown: StepView
    rounds: tuple[Step, ...]
    kills: tuple[Step, ...]
    attacks: tuple[Jump, ...]
    turns: tuple[Turns, ...]
    goes_on_at: int | None
    biggest: Jump | None
    curve: Curve | None
    chances: ChanceCurve | None
    board: BoardView
    sheets: tuple[UnitSheet, ...]
    miniatures: Mapping[str, Miniature]
    has_house_statistics: bool
    standings: tuple[tuple[SideView, int, int], ...]


def match_page(
    match: Match,
    steps: Sequence[MatchAction],
    wanted: str | None,
    photo_address: Callable[[str], str],
    is_guest: bool = False,
) -> MatchPage:
    """Return the page of a match from `find_match` at the step that the address names.

    `steps` come from `stored_steps`. `wanted` is a number from 1; a number out of range means the nearest step. Without
    a number a finished match opens at its beginning and a running one at its newest step. A guest sees no links to the
    match's surroundings. `photo_address` makes the address of the photo of a unit.

    Raises Malformed when the present rules cannot read the setup.
    """
    events = [event for step in steps for event in step.events]
    cut = cut_into_steps(events)
    step = cut[_step_index(wanted, len(cut), newest=not match.is_over)]
    snapshots = moments(match.setup, events, cut)
    now = moment_of(snapshots[step.number - 1], events, step)
    surroundings = surroundings_of(match).for_guests() if is_guest else surroundings_of(match)
    sides = side_views(match, surroundings)
    miniatures = miniatures_in(match, surroundings, sides, photo_address)
    colours = [(side.key, side.colour) for side in sides]
    names = names_in(match.setup)
    attacks = attacks_in(match.setup, cut, snapshots)
    biggest = biggest_of(attacks)
    reputation, kills = now.snapshot.get("reputation", {}), now.snapshot.get("kills", {})
    result = match.result or {}
    return MatchPage(
        match=match,
        title=gettext("Match: %(sides)s") % {"sides": " – ".join(side.name for side in sides)},
        surroundings=surroundings,
        sides=sides,
        headline=words.headline(result, next((side.name for side in sides if side.won), None)) if result else "",
        tie_break=words.word(result.get("tie_break")),
        shown=StepView(
            step=step,
            title=_step_title(step, names),
            events=tuple(event_views(step.events, names, _asides(steps, match.is_over, step))),
            count=len(cut),
            previous=step.number - 1 if step.number > 1 else None,
            next=step.number + 1 if step.number < len(cut) else None,
            leaps=leaps_from(step, cut, attacks),
            overlay=_fire(match, steps, events, [attack for attack in attacks if attack.step is step]),
            shot=_shot(events, [attack for attack in attacks if attack.step is step], names),
        ),
        rounds=tuple(rounds_of(cut)),
        kills=tuple(each for each in cut if each.has_kill),
        attacks=tuple(_jump(attack, names) for attack in attacks),
        turns=tuple(
            Turns(names[unit], tuple((each, _step_title(each, names)) for each in cut if each.unit == unit))
            for side in match.setup["sides"]
            for unit in (loadout["id"] for loadout in side["units"])
        ),
        goes_on_at=_goes_on_at(match, steps, step),
        biggest=None if biggest is None else _jump(biggest, names),
        curve=curve_of(colours, cut, snapshots, step),
        chances=chance_curve_of(colours, cut, forecasts_of(match), step, result.get("winner")),
        board=build_board(match.setup["arena"], now.snapshot, match.setup["sides"], now.fallen, now.path),
        sheets=tuple(unit_sheets(match.setup, now.snapshot, match.is_over, miniatures)),
        miniatures=miniatures,
        has_house_statistics=any(
            loadout["unit"].get("statistics") == "house" for side in match.setup["sides"] for loadout in side["units"]
        ),
        standings=tuple((side, reputation.get(side.key, 0), kills.get(side.key, 0)) for side in sides),
    )


def _goes_on_at(match: Match, steps: Sequence[MatchAction], shown: Step) -> int | None:
    """Return the action after which a match could be played on from the shown step; None before the end, and at it."""
    at = moment_after(shown.stop, steps)
    return at if match.is_over and at < match.last_sequence else None


def _jump(attack: Attack, names: Mapping[str, str]) -> Jump:
    return Jump(
        attack.step,
        names.get(attack.unit, attack.unit),
        ", ".join(names.get(target, target) for target in attack.targets),
        attack.dealt,
        bool(attack.destroyed),
    )


def _shot(
    events: Sequence[Mapping[str, Any]], attacks: Sequence[Attack], names: Mapping[str, str]
) -> ShownAttack | None:
    """Return the last of a step's attacks, None without one and where its dice are not stored."""
    if not attacks or not events[attacks[-1].place].get("why"):
        return None
    resolved = events[attacks[-1].place]
    scored = scored_by(resolved, events[attacks[-1].place + 1 : attacks[-1].step.stop])
    return ShownAttack(_jump(attacks[-1], names), attack_view(resolved, scored, names))


def _fire(
    match: Match, steps: Sequence[MatchAction], events: Sequence[Mapping[str, Any]], attacks: Sequence[Attack]
) -> Overlay:
    """Return the lines of fire of a step's attacks, along the corners that their players chose."""
    if not attacks:
        return Overlay()
    setup = read_setup(match.setup)
    return Overlay(
        lines=tuple(
            fire_line(shot.hex, shot.target_hex, shot.line)
            for attack in attacks
            for shot in shots_at(setup, events, attack.place, _drawn(steps, attack))
        )
    )


def _drawn(steps: Sequence[MatchAction], attack: Attack) -> Mapping[str, Sequence[str]] | None:
    """Return the lines of fire that the player of an attack chose, by target; None without one."""
    place, drawn = 0, None
    for step in steps:
        if place > attack.place:
            break
        action = step.action or {}
        if action.get("unit") == attack.unit and action.get("targets"):
            drawn = action.get("line")
        place += len(step.events)
    return drawn


Cause = MatchAction.Cause
SHOWN_AT_ONCE = (
    Cause.TIME, Cause.GIVEN, Cause.OPENING, Cause.FAILED, Cause.OVERRAN, Cause.RELIEVED, Cause.WITHDRAWN,
)  # fmt: skip
"""The causes that a running match shows of steps that were not the player's own; others would reveal something about
the side."""


class Aside(NamedTuple):
    """How an action of a unit, named by its id, was answered; `text` is empty for a player's own answer."""

    unit: str
    text: str


def _asides(steps: Sequence[MatchAction], is_finished: bool, shown: Step) -> dict[int, Aside]:
    """Return how each action of the shown step was answered, by the place of its first event.

    The text is empty for a player's own answer, and for others that a running match hides.
    """
    start = shown.stop - len(shown.events)
    found, place = {}, 0
    for step in steps:
        if step.events and start <= place < shown.stop:
            is_shown = step.cause and (is_finished or step.cause in SHOWN_AT_ONCE)
            unit = (step.action or {}).get("unit", "")
            found[place - start] = Aside(unit, words.cause_text(step.cause) if is_shown else "")
        place += len(step.events)
    return found


def _step_index(wanted: str | None, count: int, newest: bool) -> int:
    number = whole_number(wanted or "")
    if number is None:
        number = count if newest else 1
    return min(max(number, 1), count) - 1


def _step_title(step: Step, names: Mapping[str, str]) -> str:
    phase = words.heading(words.PHASES, step.phase)
    if step.round == 0:
        return phase
    values = {"round": step.round, "phase": phase, "unit": names.get(step.unit or "", "")}
    if step.unit:
        return gettext("Round %(round)s, %(phase)s: %(unit)s") % values
    return gettext("Round %(round)s, %(phase)s") % values


EVENTS_WITHOUT_LINE = frozenset({"round_began", "phase_began", "turn_began", "attack_rolled"})
"""Events without a line of their own: the heading says round, phase and turn, and the arithmetic shows the dice."""


def event_views(
    events: Sequence[Mapping[str, Any]],
    names: Mapping[str, str],
    asides: Mapping[int, Aside] | None = None,
    owners: Mapping[str, SideView] | None = None,
    round_before: int = 0,
) -> Iterator[EventView]:
    """Yield a line for each event that has something to say; an attack's damage is part of its arithmetic.

    `asides` holds asides by the place of an event. Each goes to the first line that is shown from there on, and has a
    line of its own if that one is about another unit. A second roll that hits follows the attack that called for it.
    `owners` has the side of each unit and side by its id; without it no line says whose it is. `round_before` is the
    round in which the first event happens. A round in which no unit has a turn says so before its clean-up.
    """
    shown: list[Mapping[str, Any]] = []
    aside, number, is_idle, owners = Aside("", ""), round_before, False, owners or {}
    for position, event in _second_rolls_last(events):
        aside = (asides or {}).get(position, aside)
        kind = event["event"]
        number = event["round"] if kind == "round_began" else number
        is_idle = kind == "round_began" or (is_idle and kind != "turn_began")
        if is_idle and kind == "phase_began" and event["phase"] == "cleanup":
            yield EventView("idle_round", idle_round(number), round=number)
        if kind in EVENTS_WITHOUT_LINE or any(event is scored for scored in shown):
            continue
        attack = None
        if kind == "attack_resolved" and event.get("why"):
            shown = list(scored_by(event, events[position + 1 :]))
            attack = attack_view(event, shown, names)
        sentence = wording.event_sentence(event, names, translate)
        if not (sentence or attack):
            continue
        if aside.text and event.get("unit") != aside.unit:
            line = f"{names.get(aside.unit, aside.unit)}: {aside.text}."
            yield EventView("answered", line, None, "", owners.get(aside.unit), number)
            aside = Aside("", "")
        # Whoever gains by a kill is not the side of the unit that fell.
        side = owners.get((event.get("unit") if kind != "kill" else "") or event.get("side") or "")
        yield EventView(kind, sentence, attack, aside.text, side, number)
        aside = Aside("", "")


def idle_round(number: int) -> str:
    """Return what is said of a round in which no unit has a turn."""
    return gettext("No unit can act in round %(round)s.") % {"round": number}


def _second_rolls_last(events: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the events with their places, successful second rolls after the attack that they belong to."""
    held: list[tuple[int, Mapping[str, Any]]] = []
    for position, event in enumerate(events):
        if event["event"] == "second_roll" and event.get("success"):
            held.append((position, event))
            continue
        yield position, event
        if event["event"] == "attack_resolved":
            yield from held
            held = []
    yield from held


def scored_by(resolved: Mapping[str, Any], following: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the damage that the attack `resolved` scored on its targets, without that on friends in base contact.

    `following` are the events after it; the next attack ends the search.
    """
    for event in following:
        if event["event"] == "attack_resolved":
            return
        if event["event"] == "damage_scored" and event["target"] in resolved["why"]["targets"]:
            yield event


def own_attack(events: Sequence[Mapping[str, Any]], own: Collection[str]) -> str:
    """Return what the last attack by one of the units `own` did, in one sentence; "" without an attack."""
    places = [
        place
        for place, event in enumerate(events)
        if event["event"] == "attack_resolved" and event["unit"] in own and event.get("why")
    ]
    if not places:
        return ""
    resolved, following = events[places[-1]], events[places[-1] + 1 :]
    if not any(target["hit"] for target in resolved["why"]["targets"].values()):
        return gettext("Your attack missed.")
    dealt = sum(event["dealt"] for event in scored_by(resolved, following))
    return gettext("Your attack hit: %(dealt)s damage.") % {"dealt": dealt}
