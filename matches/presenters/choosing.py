"""The answer to the open decision as far as it is chosen: links to every next step, and a preview at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import dist
from urllib.parse import urlencode

from catalogue.presenters.arena_picture import centre
from matches.presenters import questions
from matches.presenters.acts import act_of
from matches.presenters.board import ground_of, token_words
from matches.presenters.overlay import (
    Aimed,
    Ghost,
    Overlay,
    Pick,
    Spoke,
    aimed_at,
    ghost_at,
    is_facing,
    lines_of,
    picks_of,
    wheel_at,
    wheel_middle,
)
from matches.presenters.previews import Preview, chances, preview_of
from matches.presenters.proposals import Answers, narrowed
from rules.bots.preset_answers import key_of
from rules.competition.attacks.resolving import REROLL, targets_hit
from rules.competition.match import Match as EngineMatch
from rules.competition.narrowing import Narrowing, Option, Step, describe, narrow
from rules.competition.observation import Observation

ADJUSTABLE = ("mode", "path", "facing", "facing_out", "facing_in", "cancel")
"""Questions that get a proposed answer, which the player can change next to the preview."""

WITH_CHANCES = ("target", "attack", "react", "cancel", "keys")
"""Questions whose options show the chance to hit."""

ATTACKS = ("ranged", "close", "pin", "charge", "death_from_above")
"""Orders that a click on their target gives, the first that is legal."""

FEW_HEXES = 8
"""The most hexes that are shown as buttons. More of them are chosen on the board, or from a list that opens."""

CLEAR_OF_WHEEL = 36.0
"""Hexes within this distance of a facing of the wheel cannot be chosen, because they would overlap; in SVG units."""


@dataclass(frozen=True)
class OptionView:
    word: str
    label: str
    remark: str
    chance: str
    url: str
    is_chosen: bool
    is_own_name: bool


@dataclass(frozen=True)
class QuestionView:
    """A question with its options as links. `kind` is the layout: "hexes", "facings" or "list".

    `fields` are the hidden fields (name, value) of a form in which each option is a button that plays the answer; None
    where more is to be chosen or looked at before. `standing` names what a unit would go on doing without being asked;
    empty where nothing can stand.
    """

    key: str
    label: str
    kind: str
    options: tuple[OptionView, ...]
    fields: tuple[tuple[str, str], ...] | None = None
    standing: str = ""


@dataclass(frozen=True)
class Crumb:
    """A chosen answer, and the address of the page before that choice."""

    label: str
    value: str
    url: str
    is_own_name: bool


@dataclass(frozen=True)
class Choosing:
    """The answer of the side that decides, as far as it is chosen.

    `question` is the next one, None when the answer is complete; then `preview` shows it, `act` names it on the button
    that commits it, `standing` is as in QuestionView, and `hidden` are the form's hidden fields (name, value).
    `one_back` leads before the last choice ("" without one), `start_over` before the first, `other_view` to the whole
    ground or back. Addresses keep the view.
    """

    heading: questions.Heading
    crumbs: tuple[Crumb, ...]
    question: QuestionView | None
    adjustable: tuple[QuestionView, ...]
    preview: Preview | None
    act: str
    hidden: tuple[tuple[str, str], ...]
    standing: str
    overlay: Overlay
    path: tuple[str, ...]
    start_over: str
    one_back: str
    other_view: str


def choosing_of(
    engine: EngineMatch,
    observed: Observation,
    names: Mapping[str, str],
    answers: Answers,
    seen: str,
    is_overview: bool = False,
) -> Choosing:
    """Return the decision that `observed` shows, which must be open, with those `answers` that fit.

    Every address carries `seen` (matches.selectors.versions.version_for). `is_overview` shows the whole ground.
    """
    decision = observed.decision
    assert decision is not None
    found = narrowed(engine, answers)
    chosen = {step.key: step.chosen for step in found.steps if step.chosen is not None and not step.is_default}
    preview = preview_of(engine, found.action, names) if found.action is not None else None
    part, whole = {"at": seen}, {"at": seen, "view": "whole"}
    kept, other = (whole, part) if is_overview else (part, whole)
    desk = _Desk(engine, observed, names, found, chosen, kept)
    adjustable = [step for step in found.steps if step.key in ADJUSTABLE and preview is not None]
    is_answering = bool(set(observed.snapshot["units"][decision["unit"]]["orders"]) & {"dig_in", "defend"})
    crumbs = tuple(desk.crumb(step) for step in found.steps if step.key in chosen)
    return Choosing(
        heading=questions.heading_of(decision, names, is_answering, _known(engine, names)),
        crumbs=crumbs,
        question=desk.view(found.question) if found.question else None,
        adjustable=tuple(desk.view(step) for step in adjustable),
        preview=preview,
        act=act_of(found, preview, desk.places.get(desk.unit, ""), desk.label) if preview else "",
        hidden=tuple(found.answers.items()),
        standing=questions.standing_words(key_of(engine), names[desk.unit]) if preview else "",
        overlay=desk.overlay(preview),
        path=desk.path(preview),
        start_over=desk.address({}),
        one_back=crumbs[-1].url if crumbs else "",
        other_view=_address(other, chosen),
    )


def _known(engine: EngineMatch, names: Mapping[str, str]) -> dict[str, str]:
    """Return what the heading of the open decision says beyond the decision (matches.presenters.questions)."""
    table = engine.table
    assert table.open is not None
    kind, _, data = table.open
    if kind.name == "special":
        return {"attacks": questions.special_words({action["order"] for action in engine.legal_actions()})}
    if kind is REROLL:
        hit = targets_hit(table, data)
        found: dict[bool, list[str]] = {True: [], False: []}
        for target in data.attack.targets:
            found[target in hit].append(table.roster.target_name(target))
        return {"standing": questions.standing_roll(found[True], found[False], names)}
    return {}


def _address(kept: Answers, answers: Answers) -> str:
    return f"?{urlencode({**kept, **answers})}"


class _Desk:
    """The maker of one decision's links. Each opens the page again with one more answer, or with a changed one.

    `kept` are the fields of every link that are not answers.
    """

    def __init__(
        self,
        engine: EngineMatch,
        observed: Observation,
        names: Mapping[str, str],
        found: Narrowing,
        chosen: Mapping[str, str],
        kept: Mapping[str, str],
    ) -> None:
        self.engine = engine
        self.observed = observed
        self.names = names
        self.found = found
        self.chosen = chosen
        self.kept = kept
        assert observed.decision is not None
        self.unit = observed.decision["unit"]
        self.why = observed.decision["why"]
        snapshot = observed.snapshot
        places = {key: unit["hex"] for key, unit in snapshot["units"].items() if unit["hex"] and unit["active"]}
        self.ground = ground_of(observed.setup["arena"])[1]
        self._size = self.ground.width, self.ground.height
        self.places = places | {key: token["hex"] for key, token in snapshot["tokens"].items()}

    def address(self, answers: Answers) -> str:
        return _address(self.kept, answers)

    def before(self, key: str) -> dict[str, str]:
        """Return the choices made before the question `key`."""
        keys = [step.key for step in self.found.steps]
        return {word: self.chosen[word] for word in keys[: keys.index(key)] if word in self.chosen}

    def url(self, key: str, word: str) -> str:
        """Return the address that chooses a word. Adjustable questions keep the answers to later questions."""
        base = dict(self.chosen) if key in ADJUSTABLE else self.before(key)
        return self.address({**base, key: word})

    def label(self, key: str, word: str) -> str:
        return questions.label_of(key, word, self.why, self.names)

    def remark(self, key: str, word: str) -> str:
        if key == "target" and (token := self.observed.snapshot["tokens"].get(word)):
            return token_words(token)
        if key != "card":
            return questions.remark_on(word)
        sides = self.observed.setup["sides"]
        cards = (card for side in sides for loadout in side["units"] for card in loadout["hand"])
        return next((questions.card_text(card) for card in cards if card["id"] == word), "")

    def labels(self, step: Step) -> dict[str, str]:
        return {option.word: self.label(step.key, option.word) for option in step.options}

    def crumb(self, step: Step) -> Crumb:
        assert step.chosen is not None
        return Crumb(
            questions.question_label(step.key),
            self.label(step.key, step.chosen),
            self.address(self.before(step.key)),
            questions.is_own_name(step.key, step.chosen),
        )

    def view(self, step: Step) -> QuestionView:
        odds = chances(self.engine, step.options, self.names) if step.key in WITH_CHANCES else {}
        kind = "facings" if is_facing(step.key) else "list"
        if step.key == "hex" and len(step.options) > FEW_HEXES:
            kind = "hexes"
        is_last = kind == "list" and self._is_last(step)
        return QuestionView(
            step.key,
            questions.question_label(step.key),
            kind,
            tuple(
                OptionView(
                    option.word,
                    self.label(step.key, option.word),
                    self.remark(step.key, option.word),
                    odds.get(option.word, ""),
                    self.url(step.key, option.word),
                    option.word == step.chosen,
                    questions.is_own_name(step.key, option.word),
                )
                for option in sorted(step.options, key=lambda option: questions.place_of(step.key, option.word))
            ),
            tuple(self.found.answers.items()) if is_last else None,
            questions.standing_words(key_of(self.engine), self.names[self.unit]) if is_last else "",
        )

    def _is_last(self, step: Step) -> bool:
        """Return whether a step is the open question of a choice or a reaction, and its answer completes the action.

        Equipment that a reaction may do without is left to the page on which the reaction is looked at.
        """
        if step is not self.found.question:
            return False
        ends = [
            {tuple(word for word in describe(action, "").items() if word[0] != "cancel") for action in option.actions}
            for option in step.options
        ]
        return all(len(end) == 1 for end in ends) and all("order" not in option.actions[0] for option in step.options)

    @property
    def hex_code(self) -> str | None:
        """The hex of the unit, or its hex after the choices so far; None outside the arena."""
        return self.found.settled.get("hex") or self.places.get(self.unit)

    def overlay(self, preview: Preview | None) -> Overlay:
        taken, hexes = set(self.places.values()), self.ground.hexes
        steps, wheel = {step.key: step for step in self.found.steps}, self._wheel(preview is not None)
        picks: tuple[Pick, ...] = ()
        aimed: tuple[Aimed, ...] = ()
        if "hex" not in steps and (step := self._ahead("move", "hex")):
            picks = picks_of(step.options, hexes, self._through("move", "hex"), self.labels(step), None, taken)
        if step := steps.get("hex"):
            picks = picks_of(step.options, hexes, partial(self.url, "hex"), self.labels(step), step.chosen, taken)
            picks = tuple(
                pick
                for pick in picks
                if pick.is_chosen or all(dist((pick.x, pick.y), (at.x, at.y)) > CLEAR_OF_WHEEL for at in wheel)
            )
        if step := steps.get("target"):
            aimed = aimed_at(step.options, self.places, lambda word: self.url("target", word), self.labels(step))
        else:
            aimed = self._aimed_ahead()
        lines = lines_of(preview.forecast, self.places) if preview and preview.forecast else ()
        return Overlay(picks, aimed, wheel, self._leader() if wheel else None, self._ghost(preview), lines)

    def _ahead(self, order: str, key: str) -> Step | None:
        """Return what an order would ask first, if that is the question `key`; None unless the order is open.

        A click on an option then answers both at once. An order that leaves one answer has it as its only option.
        """
        question = self.found.question
        if question is None or question.key != "order":
            return None
        actions = next((option.actions for option in question.options if option.word == order), ())
        ahead = narrow(actions, self.places.get(self.unit, ""), {})
        if ahead.steps and ahead.steps[0].key == key:
            return ahead.steps[0]
        return Step(key, (Option(ahead.settled[key], ()),)) if key in ahead.settled else None

    def _through(self, order: str, key: str) -> Callable[[str], str]:
        return lambda word: self.address({"order": order, key: word})

    def _aimed_ahead(self) -> tuple[Aimed, ...]:
        """Return what an order that stays in its hex could attack, each thing by the first such order."""
        found: dict[str, Aimed] = {}
        for order in ATTACKS:
            if step := self._ahead(order, "target"):
                for option in step.options:
                    aimed = aimed_at([option], self.places, self._through(order, "target"), self.labels(step))
                    found |= {each.label: each for each in aimed if each.label not in found}
        return tuple(found.values())

    def _wheel(self, is_complete: bool) -> tuple[Spoke, ...]:
        step = next((step for step in reversed(self.found.steps) if is_facing(step.key)), None)
        if step is None or not self.hex_code or (step.chosen is not None and not is_complete):
            return ()
        things = [centre(place) for place in {**self.places, self.unit: self.hex_code}.values()]
        address = partial(self.url, step.key)
        return wheel_at(self._middle(), step.options, address, self.labels(step), step.chosen, things, self._size)

    def _middle(self) -> tuple[float, float]:
        return wheel_middle(str(self.hex_code), self._size)

    def _leader(self) -> tuple[float, float, float, float] | None:
        assert self.hex_code
        here, middle = centre(self.hex_code), self._middle()
        return (*here, *middle) if dist(here, middle) > CLEAR_OF_WHEEL else None

    def _ghost(self, preview: Preview | None) -> Ghost | None:
        action = self.found.action
        if preview is None or action is None or not self.hex_code or action.get("facing") is None:
            return None
        loadout = next(
            loadout for side in self.observed.setup["sides"] for loadout in side["units"] if loadout["id"] == self.unit
        )
        return ghost_at(self.hex_code, int(action["facing"]), float(loadout["unit"].get("front_arc", 180)))

    def path(self, preview: Preview | None) -> tuple[str, ...]:
        path, origin = preview.path if preview else (), self.places.get(self.unit)
        return (origin, *path) if origin and path else path
