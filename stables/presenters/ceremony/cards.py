"""The card of each stable of a season: its place and totals, its best shot, its nemesis, the luck of its dice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from matches.models import Match
from matches.presenters.replaying.scene import luck_in_words, shot_in_words
from matches.selectors.sides import names_in
from rules.campaign.results.corrections import deeds_of, stables_of
from rules.campaign.standings.places import Record, ranked
from rules.competition.story import Luck
from stables.models import Fixture, FixtureSide, Season, Stable
from stables.presenters.ceremony.stories import VOID, StableStory, stories_of
from stables.selectors.leaders import HEAVY


@dataclass
class Gains:
    """What the results of a season brought a stable, or one of its individuals."""

    reputation: int = 0
    kills: int = 0
    wins: int = 0
    matches: int = 0


@dataclass(frozen=True)
class Nemesis:
    """The stable to which another lost most often: `lost` times, while that one earned `against` reputation."""

    name: str
    lost: int
    against: int


@dataclass(frozen=True)
class StableCard:
    """The season of one stable. `best` is a sentence, "" without a shot, and `best_url` the page of its match.

    `luck_in_words` is "" for a stable that rolled for no attack. `is_champion` says that it holds the stables' title.
    `gains` are those of its individuals by their codes; who gained nothing has none.
    """

    stable: Stable
    rank: int
    reputation: int
    kills: int
    wins: int
    matches: int
    best: str
    best_url: str
    nemesis: Nemesis | None
    luck: Luck
    luck_in_words: str
    is_champion: bool
    gains: Mapping[str, Gains]


def fixtures_for_cards(season: Season) -> list[Fixture]:
    """Return a season's settled fixtures with what the cards read of them; three queries."""
    sides = FixtureSide.objects.select_related("stable").order_by("id")
    found = (
        Fixture.objects.filter(round__cycle__season=season, result__isnull=False)
        .select_related("round__cycle", "match", "result")
        .prefetch_related("result__corrections", Prefetch("sides", queryset=sides))
        .defer(*HEAVY)
    )
    return list(found.order_by("round__cycle__number", "round__number", "number"))


def cards_of(stables: Sequence[Stable], fixtures: Sequence[Fixture], champions: Iterable[int] = ()) -> list[StableCard]:
    """Return the cards of a season's stables: its champions first, by their ids, then by rank.

    At most two queries. `fixtures` come from `fixtures_for_cards`.
    """
    gains = _gains(fixtures)
    stories = stories_of(fixtures)
    matches = Match.objects.only("public_id", "setup").in_bulk(
        [story.match for story in stories.values() if story.match is not None]
    )
    totals = {each.number: gains[each.number].pop("", Gains()) for each in stables}
    records = [Record(each.name, totals[each.number].reputation, totals[each.number].kills) for each in stables]
    ranks = {standing.name: standing.rank for standing in ranked(records)}
    held = set(champions)
    names = {stable.number: stable.name for stable in stables}
    cards = []
    for stable in stables:
        own, story = totals[stable.number], stories.get(stable.number, StableStory())
        match = matches.get(story.match) if story.match is not None else None
        cards.append(
            StableCard(
                stable=stable,
                rank=ranks[stable.name],
                reputation=own.reputation,
                kills=own.kills,
                wins=own.wins,
                matches=own.matches,
                best="" if story.best is None or match is None else shot_in_words(story.best, names_in(match.setup)),
                best_url="" if match is None else match.get_absolute_url(),
                nemesis=_nemesis(stable.number, fixtures, names),
                luck=story.luck,
                luck_in_words=luck_in_words(story.luck),
                is_champion=stable.pk in held,
                gains=gains[stable.number],
            )
        )
    return sorted(cards, key=lambda card: (not card.is_champion, card.rank, card.stable.number))


def _gains(fixtures: Iterable[Fixture]) -> defaultdict[int, defaultdict[str, Gains]]:
    """Return gains by the stable's number and the individual's code, "" for the stable itself."""
    found: defaultdict[int, defaultdict[str, Gains]] = defaultdict(lambda: defaultdict(Gains))
    for fixture in fixtures:
        for (number, code), deeds in deeds_of(fixture.result.current).items():
            own = found[number][code]
            own.reputation += deeds.reputation
            own.kills += deeds.kills
            own.wins += deeds.wins
            own.matches += deeds.matches
    return found


def _nemesis(number: int, fixtures: Iterable[Fixture], names: Mapping[int, str]) -> Nemesis | None:
    """Return the nemesis of a stable; None when it lost no match that was fought. Ties go to the higher reputation."""
    lost: Counter[int] = Counter()
    against: Counter[int] = Counter()
    for fixture in fixtures:
        document = fixture.result.current
        shown = stables_of(document)
        if document["ended_by"] in (VOID, "forfeit") or number not in shown or shown[number]["won"]:
            continue
        for other, theirs in shown.items():
            if other != number and theirs["won"] and other in names:
                lost[other] += 1
                against[other] += int(theirs["banked"])
    if not lost:
        return None
    worst = max(lost, key=lambda other: (lost[other], against[other], -other))
    return Nemesis(names[worst], lost[worst], against[worst])
