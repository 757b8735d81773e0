"""The ceremony of a season: the podium, the story of the season in pictures, and a card of each stable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.db.models import Prefetch
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.presenters.miniatures import Miniature
from stables.models import Asset, Fixture, Placing, Season, Stable, Title
from stables.presenters.ceremony.cards import Gains, StableCard, cards_of, fixtures_for_cards
from stables.presenters.ceremony.stories import VOID
from stables.presenters.charts import facts
from stables.presenters.charts import season as drawn
from stables.presenters.miniatures import miniatures_of, with_photos
from stables.selectors.leaders import champions_of, title_lines
from stables.text import names as words

HEIGHTS = (150, 105, 70)
"""The heights of the steps of the podium, the first place's first."""

ORDER = (1, 0, 2)
"""The places on the podium from the left to the right."""


@dataclass(frozen=True)
class PodiumStep:
    """One step of the podium: `x` and `y` are those of its upper left corner in a drawing of 600 by 240.

    `miniature` is the ’Mech that earned the stable most reputation, None for a stable without one.
    """

    place: int
    card: StableCard
    x: int
    y: int
    height: int
    miniature: Miniature | None = None

    @property
    def middle(self) -> int:
        return self.x + 95


@dataclass(frozen=True)
class Chapter:
    """One cycle of the story: who won it, the match to remember, and the address of that match's picture.

    `match_url` and `picture_url` are "" when no match of the cycle was played here.
    """

    number: int
    heading: str
    winner: str
    purse: int
    match: str
    match_url: str
    picture_url: str


def is_held(season: Season) -> bool:
    """Return whether the ceremony of a season has been held, provisionally or for good."""
    return season.state in (Season.State.PROVISIONAL, Season.State.FINISHED)


def ceremony(season: Season) -> dict[str, Any]:
    """Return what the page of the ceremony shows; a constant number of queries."""
    stables = list(season.stables.select_related("identity").order_by("number"))
    for stable in stables:
        stable.season = season
    fixtures = fixtures_for_cards(season)
    champions = {title.stable_id for title in champions_of(season) if title.kind == Title.Kind.STABLE}
    cards = cards_of(stables, fixtures, champions)
    earned = facts.reputation_by_round(season)
    return {
        "titles": title_lines(season),
        "podium": podium(cards, best_units(season, cards[: len(ORDER)])),
        "cards": cards,
        "chapters": _chapters(season, fixtures),
        "chart": drawn.reputation_chart(stables, facts.by_cycle(earned)),
        "signs": list(drawn.signs_of(stables).values()),
    }


def best_units(season: Season, cards: Sequence[StableCard]) -> dict[int, Miniature]:
    """Return the ’Mech that earned each of these stables most reputation, by the stables' ids; one query.

    Ties go to more kills, and then to the one that was bought first.
    """
    shown = {card.stable.pk: card for card in cards}
    best: dict[int, Asset] = {}
    most: dict[int, tuple[int, int]] = {}
    for unit in with_photos(Asset.objects.filter(stable__in=shown, kind=Asset.Kind.UNIT).order_by("id")):
        gains = shown[unit.stable_id].gains.get(unit.code, Gains())
        worth = (gains.reputation, gains.kills)
        if unit.stable_id not in best or worth > most[unit.stable_id]:
            best[unit.stable_id], most[unit.stable_id] = unit, worth
    looks = miniatures_of(season, [card.stable for card in cards], best.values())
    return {stable: looks[unit.pk] for stable, unit in best.items()}


def podium(cards: Sequence[StableCard], miniatures: Mapping[int, Miniature] = MappingProxyType({})) -> list[PodiumStep]:
    """Return the steps of the podium of at most three stables, from the left to the right.

    `miniatures` are by the stables' ids.
    """
    shown = [place for place in ORDER if place < len(cards)]
    return [
        PodiumStep(
            place + 1,
            cards[place],
            10 + 195 * ORDER.index(place),
            235 - HEIGHTS[place],
            HEIGHTS[place],
            miniatures.get(cards[place].stable.pk),
        )
        for place in shown
    ]


def _chapters(season: Season, fixtures: Sequence[Fixture]) -> list[Chapter]:
    cycles = season.cycles.order_by("number").prefetch_related(
        Prefetch("placings", queryset=Placing.current().select_related("stable").order_by("place"))
    )
    found = []
    for cycle in cycles:
        first = next(iter(cycle.placings.all()), None)
        if first is None:
            continue
        best = max((one for one in fixtures if one.round.cycle_id == cycle.pk), key=_weight, default=None)
        match = best.match if best is not None and _weight(best)[0] else None
        found.append(
            Chapter(
                number=cycle.number,
                heading=_("Cycle {number}: {format}").format(
                    number=cycle.number, format=words.word(words.FORMATS, cycle.format)
                ),
                winner=first.stable.name,
                purse=first.purse,
                match="" if match is None or best is None else _pairing(best),
                match_url="" if match is None else match.get_absolute_url(),
                picture_url="" if match is None else reverse("matches:picture", args=[match.public_id]),
            )
        )
    return found


def _weight(fixture: Fixture) -> tuple[bool, int, int]:
    """Return how much a match is worth remembering: one that was played here, with most kills, then most reputation."""
    document = fixture.result.current
    is_played = fixture.match is not None and fixture.match.is_finished and document["ended_by"] != VOID
    sides = document["sides"].values()
    return is_played, sum(int(side["kills"]) for side in sides), sum(int(side["reputation"]) for side in sides)


def _pairing(fixture: Fixture) -> str:
    return " – ".join(dict.fromkeys(side.stable.name for side in fixture.sides.all()))


def card_of(stable: Stable) -> StableCard:
    """Return the card of one stable as far as its season has come. Fetch it with its season."""
    season = stable.season
    stables = list(season.stables.order_by("number"))
    champions = {title.stable_id for title in champions_of(season) if title.kind == Title.Kind.STABLE}
    return next(card for card in cards_of(stables, fixtures_for_cards(season), champions) if card.stable == stable)
