"""The result of a finished match as a scene: who won and by what, the shot that decided it, the units, the dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.presenters.miniatures import Miniature
from matches.host import Surroundings
from matches.models import Match
from matches.presenters.replaying.replay import cut_into_steps, step_of_attack
from matches.selectors.sides import SideView, names_in
from matches.text import match as words
from rules.competition.story import LAST_FALL, LEAD, Luck, MatchStory, Shot, story_of
from rules.wording.filling import joined
from web.languages.reader import translate
from web.pictures.poster import Column, Poster


@dataclass(frozen=True)
class UnitEnd:
    """How a unit left the match. `left` of `clicks` clicks of its dial were left; 0 when it was eliminated.

    `state` is eliminated, damaged or unhurt, and `kills` are the units that it eliminated. `miniature` is None in
    a scene without them.
    """

    name: str
    left: int
    clicks: int
    state: str
    kills: int
    pilot_dead: bool
    miniature: Miniature | None


@dataclass(frozen=True)
class SideEnd:
    """One side at the end: its units, its best shot in a sentence ("" without one), and the luck of its dice."""

    side: SideView
    units: tuple[UnitEnd, ...]
    best: str
    luck: Luck
    luck_in_words: str


@dataclass(frozen=True)
class Scene:
    """The scene of a finished match. `deciding` is what decided it in a few sentences, `shot` the first of them; both
    are "" when no shot did. `step` is that of the replay which shows it; None without one.

    `headline` says who won and by what, `score` the reputation of the sides from the highest down.
    """

    headline: str
    score: str
    deciding: str
    shot: str
    step: int | None
    sides: tuple[SideEnd, ...]


def scene_of(
    match: Match,
    events: Iterable[Mapping[str, Any]],
    sides: Sequence[SideView],
    miniatures: Mapping[str, Miniature] = MappingProxyType({}),
) -> Scene | None:
    """Return the scene of a match from all its events; None for a match that was not played to its end.

    `sides` come from `side_views`, `miniatures` from `miniatures_in`. No query.
    """
    if not match.is_finished or match.result is None:
        return None
    listed = list(events)
    story = story_of(match.setup, listed)
    names = names_in(match.setup)
    step = None
    if story.deciding is not None:
        step = step_of_attack(cut_into_steps(listed), story.deciding.number).number
    return Scene(
        headline=words.headline(match.result, next((view.name for view in sides if view.won), None)),
        score=" : ".join(f"{view.name} {view.result['reputation']}" for view in _best_first(sides) if view.result),
        deciding=_deciding(story, sides, names),
        shot="" if story.deciding is None or not match.result.get("winner") else _hit_in_words(story.deciding, names),
        step=step,
        sides=tuple(_side(match, view, story, names, miniatures) for view in sides),
    )


def _best_first(sides: Iterable[SideView]) -> list[SideView]:
    return sorted(sides, key=lambda view: (not view.won, -(view.result or {}).get("reputation", 0)))


def _deciding(story: MatchStory, sides: Iterable[SideView], names: Mapping[str, str]) -> str:
    winner = next((view for view in sides if view.won), None)
    if story.deciding is None or winner is None:
        return ""
    text = shot_in_words(story.deciding, names)
    if story.because == LEAD:
        return _("%(shot)s From then on %(side)s was ahead.") % {"shot": text, "side": winner.name}
    if story.because == LAST_FALL:
        return _("%(shot)s Nothing after it mattered.") % {"shot": text}
    return text


def shot_in_words(shot: Shot, names: Mapping[str, str]) -> str:
    """Return a sentence or two on a shot: the round, who hit whom and how, its chance, and what it brought."""
    values = {
        "damage": shot.damage,
        "fallen": joined([names.get(name, name) for name in shot.fallen], translate),
        "reputation": shot.reputation,
    }
    parts = [_hit_in_words(shot, names)]
    if shot.damage:
        clicks = ngettext("It dealt %(damage)s click.", "It dealt %(damage)s clicks.", shot.damage)
        parts.append(clicks % values)
    if shot.fallen:
        paid = _("It destroyed %(fallen)s, for %(reputation)s reputation.")
        parts.append((paid if shot.reputation else _("It destroyed %(fallen)s.")) % values)
    return " ".join(parts)


def _hit_in_words(shot: Shot, names: Mapping[str, str]) -> str:
    values = {
        "round": shot.round,
        "unit": names.get(shot.unit, shot.unit),
        "targets": joined([names.get(target, target) for target in shot.hit], translate) or _("nobody"),
        "order": words.word(shot.order),
        "percent": round(100 * shot.chance) if shot.chance is not None else 0,
    }
    text = _("Round %(round)s: %(unit)s hit %(targets)s (%(order)s).")
    if shot.chance is not None:
        text = _("Round %(round)s: %(unit)s hit %(targets)s (%(order)s, %(percent)s %% to hit).")
    return text % values


def luck_in_words(luck: Luck) -> str:
    """Return what the dice gave against what was to be expected; "" for a side that rolled for no attack.

    Less than half a hit either way is as expected.
    """
    if not luck.rolls:
        return ""
    values = {
        "hits": ngettext("%(count)s hit", "%(count)s hits", luck.hits) % {"count": luck.hits},
        "rolls": ngettext("%(count)s roll", "%(count)s rolls", luck.rolls) % {"count": luck.rolls},
        "expected": translate.number(round(luck.expected, 1)),
        "more": translate.number(round(abs(luck.more), 1)),
    }
    if luck.more >= 0.5:
        text = _("%(hits)s in %(rolls)s, %(expected)s expected: lucky by %(more)s.")
    elif luck.more <= -0.5:
        text = _("%(hits)s in %(rolls)s, %(expected)s expected: unlucky by %(more)s.")
    else:
        text = _("%(hits)s in %(rolls)s, %(expected)s expected: as the dice should fall.")
    return text % values


def _side(
    match: Match,
    view: SideView,
    story: MatchStory,
    names: Mapping[str, str],
    miniatures: Mapping[str, Miniature],
) -> SideEnd:
    loadouts = next(side["units"] for side in match.setup["sides"] if side["id"] == view.key)
    ends = (match.result or {}).get("units", {})
    best = story.best.get(view.key)
    luck = story.luck.get(view.key, Luck())
    return SideEnd(
        side=view,
        units=tuple(
            _unit(names[loadout["id"]], loadout, ends[loadout["id"]], miniatures.get(loadout["id"]))
            for loadout in loadouts
            if loadout["id"] in ends
        ),
        best="" if best is None else shot_in_words(best, names),
        luck=luck,
        luck_in_words=luck_in_words(luck),
    )


def _unit(name: str, loadout: Mapping[str, Any], end: Mapping[str, Any], miniature: Miniature | None) -> UnitEnd:
    clicks, before = len(loadout["unit"]["dial"]), loadout["clicks"]
    left = 0 if end["eliminated"] else max(clicks - end["clicks"], 0)
    state = "eliminated" if end["eliminated"] else "damaged" if end["clicks"] > before else "unhurt"
    return UnitEnd(name, left, clicks, state, int(end.get("kills", 0)), bool(end.get("pilot_dead")), miniature)


def poster_of(match: Match, scene: Scene | None, sides: Sequence[SideView], surroundings: Surroundings) -> Poster:
    """Return the picture of a match, which says what its page says. A match that is not over shows who meets in it."""
    ends = {} if scene is None else {end.side.key: end.units for end in scene.sides}
    columns = [
        Column(
            name=view.name if view.name == view.colour else f"{view.name} ({view.colour})",
            value="–" if scene is None or view.result is None else str(view.result["reputation"]),
            note=", ".join(map(_unit_in_words, ends[view.key]) if view.key in ends else view.units),
            tone=view.index,
            is_first=view.won,
            unit="" if scene is None or view.result is None else _("reputation"),
        )
        for view in _best_first(sides)
    ]
    winner = next((view for view in sides if view.won), None)
    title = " – ".join(view.name for view in sides)
    season = surroundings.crumbs[1].label if len(surroundings.crumbs) > 1 else ""
    return Poster(
        title=title if winner is None else _("%(name)s won") % {"name": winner.name},
        heading=" · ".join(part for part in (season, surroundings.subtitle) if part),
        sentence=_sentence(match, scene),
        columns=tuple(columns),
    )


def _sentence(match: Match, scene: Scene | None) -> str:
    if scene is None:
        return capfirst(match.get_state_display())
    if not scene.deciding:
        return scene.headline
    return _("The deciding shot: %(shot)s") % {"shot": scene.deciding}


def _unit_in_words(unit: UnitEnd) -> str:
    if unit.state == "eliminated":
        return _("%(name)s: eliminated") % {"name": unit.name}
    return _("%(name)s: %(left)s of %(clicks)s clicks left") % {
        "name": unit.name,
        "left": unit.left,
        "clicks": unit.clicks,
    }
