"""The news of a season: a short item on every settled round, on every closed cycle and on the titles, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from stables.models import Cycle, Season
from stables.presenters.news.facts import Loss, RoundFacts, rounds_of
from stables.selectors.leaders import TitleLine
from stables.text import names as words
from stables.text.news import listed, news_sentence

CLOSE = 10
"""The widest margin of a close match, in reputation."""


@dataclass(frozen=True)
class NewsItem:
    """One piece of news: an id for links, a heading, its sentences, and the number of its cycle, 0 for the season."""

    id: str
    heading: str
    sentences: tuple[str, ...]
    cycle: int


def season_news(season: Season, cycles: Iterable[Cycle], titles: Sequence[TitleLine] = ()) -> Iterator[NewsItem]:
    """Yield all news of a season, the newest first; no query.

    `cycles` come prefetched by season_parts.cycle_parts; `titles` come from leaders.title_lines. What is older than the
    last item that is read is not put into words.
    """
    if any(line.is_held for line in titles):
        yield _titles(season, titles)
    listed_cycles = list(cycles)
    rounds = rounds_of(season, listed_cycles)
    for cycle in sorted(listed_cycles, key=lambda each: -each.number):
        if cycle.state == Cycle.State.CLOSED and cycle.placings.all():
            yield _of_cycle(season, cycle)
        for facts in rounds:
            if facts.cycle.pk == cycle.pk:
                yield _of_round(facts)


def _titles(season: Season, titles: Sequence[TitleLine]) -> NewsItem:
    held = [line for line in titles if line.is_held]
    sentences = [
        news_sentence(
            "season_held",
            f"{season.slug}:{line.kind}",
            {"title": capfirst(str(line.label)), "names": listed(line.names)},
        )
        for line in held
    ]
    if any(line.is_provisional for line in held):
        return NewsItem("titles", _("The champions, provisionally"), tuple(sentences), 0)
    return NewsItem("titles", _("The champions"), tuple(sentences), 0)


def _of_cycle(season: Season, cycle: Cycle) -> NewsItem:
    placings = sorted(cycle.placings.all(), key=lambda placing: placing.place)
    key = f"{season.slug}:{cycle.number}"
    first, last = placings[0], placings[-1]
    lines = [news_sentence("cycle_won", key, {"first": first.stable.name, "purse": first.purse})]
    if len(placings) > 1:
        lines.append(news_sentence("cycle_last", key, {"last": last.stable.name, "purse": last.purse}))
    following = next_cycle(season, cycle)
    if following is not None:
        lines.append(news_sentence("cycle_next", key, following))
    heading = _("Cycle {number} is closed").format(number=cycle.number)
    return NewsItem(f"cycle-{cycle.number}", heading, tuple(lines), cycle.number)


def next_cycle(season: Season, cycle: Cycle) -> dict[str, object] | None:
    """Return number, format and class of the cycle after this one; None after the last."""
    number = cycle.number + 1
    if number > len(season.rules.cycles):
        return None
    return {
        "number": number,
        "format": words.word(words.FORMATS, season.rules.cycles[number - 1]),
        "class": words.word(words.CLASSES, season.rules.class_of(number)),
    }


def _of_round(facts: RoundFacts) -> NewsItem:
    heading = _("Cycle {cycle}, round {round}").format(cycle=facts.cycle.number, round=facts.round.number)
    lines = [*best(facts), *upset(facts), *losses(facts), *_absences(facts), *lead(facts)]
    return NewsItem(f"round-{facts.cycle.number}-{facts.round.number}", heading, tuple(lines), facts.cycle.number)


def best(facts: RoundFacts) -> list[str]:
    """Return a sentence on the clearest win of a round; [] when nobody won by fighting."""
    match = facts.best
    if match is None:
        return []
    values = {
        "winner": match.winner,
        "losers": match.losers,
        "reputation": match.reputation,
        "against": match.against,
    }
    return [news_sentence("best_close" if match.margin <= CLOSE else "best", facts.key, values)]


def upset(facts: RoundFacts) -> list[str]:
    """Return a sentence on the biggest upset of a round; [] without an upset."""
    match = facts.upset
    if match is None:
        return []
    return [news_sentence("upset", facts.key, {"winner": match.winner, "favourite": match.favourite, "gap": match.gap})]


def losses(facts: RoundFacts) -> list[str]:
    """Return sentences on dead pilots and eliminated units; [] when nobody won a match of the round by fighting."""
    if not any(not match.by_forfeit for match in facts.matches):
        return []
    lines = [news_sentence("dead", facts.key, {"names": listed(_whose(facts.dead))})] if facts.dead else []
    if facts.eliminated:
        return [*lines, news_sentence("eliminated", facts.key, {"names": listed(_whose(facts.eliminated))})]
    return lines or [news_sentence("unhurt", facts.key)]


def _whose(found: Iterable[Loss]) -> list[str]:
    return [f"{loss.name} ({loss.stable})" for loss in found]


def _absences(facts: RoundFacts) -> list[str]:
    lines = [
        news_sentence("forfeit", facts.key, {"winner": match.winner, "losers": match.losers})
        for match in facts.matches
        if match.by_forfeit
    ]
    if facts.unwon:
        lines.append(news_sentence("unwon", facts.key, {"count": len(facts.unwon)}))
    return lines


def lead(facts: RoundFacts) -> list[str]:
    """Return a sentence on who leads after a round; [] while no stable has reputation."""
    if not facts.leaders:
        return []
    reputation, ahead = facts.lead
    if len(facts.leaders) > 1:
        return [news_sentence("lead_shared", facts.key, {"leaders": listed(facts.leaders), "reputation": reputation})]
    values = {"leader": facts.leaders[0], "led": listed(facts.led), "reputation": reputation, "ahead": ahead}
    if not ahead:
        return [news_sentence("lead_by_kills", facts.key, values)]
    fact = "lead_kept" if facts.leaders == facts.led else "lead_taken" if facts.led else "lead_first"
    return [news_sentence(fact, facts.key, values)]
