"""The pictures of a season and of a stable to share: they say what the pages say."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from stables.models import Season, Stable, Title
from stables.presenters.ceremony.cards import cards_of, fixtures_for_cards
from stables.presenters.ceremony.ceremony import card_of, is_held
from stables.selectors.leaders import TitleLine, champions_of, title_lines
from stables.text import names as words
from web.pictures.poster import Column, Figure, Poster


def titles_in_words(lines: Iterable[TitleLine]) -> str:
    """Return a sentence for each title of a season, with the names of its holders or leaders."""
    return " ".join(f"{capfirst(str(line.label))}: {', '.join(line.names)}." for line in lines)


def season_poster(season: Season) -> Poster:
    """Return the picture of a season: its podium, or before there is any reputation its facts."""
    stables = list(season.stables.order_by("number"))
    champions = {title.stable_id for title in champions_of(season) if title.kind == Title.Kind.STABLE}
    cards = cards_of(stables, fixtures_for_cards(season), champions)
    heading = _("Champions") if is_held(season) else capfirst(season.get_state_display())
    sentence = titles_in_words(title_lines(season))
    if not any(card.reputation > 0 for card in cards):
        figures = (
            Figure(_("stables"), str(len(stables))),
            Figure(_("cycles"), str(len(season.rules.cycles))),
            Figure(_("class"), words.word(words.CLASSES, season.rules.season_class)),
        )
        return Poster(season.name, heading, figures=figures)
    places = {stable.pk: place for place, stable in enumerate(stables)}
    columns = tuple(
        Column(
            name=card.stable.name,
            value=_("%(points)s reputation, kills: %(kills)s") % {"points": card.reputation, "kills": card.kills},
            tone=places[card.stable.pk],
            is_first=card.is_champion,
        )
        for card in cards[:3]
    )
    return Poster(season.name, heading, sentence, columns, is_podium=True)


def stable_poster(stable: Stable) -> Poster:
    """Return the picture of a stable: what it has done in its season, and its best shot. Fetch it with its season."""
    card = card_of(stable)
    parts = [_("Champion of the season.")] if card.is_champion and is_held(stable.season) else []
    if card.best:
        parts.append(_("Best shot: %(shot)s") % {"shot": card.best})
    if card.nemesis is not None:
        parts.append(_("Nemesis: %(name)s.") % {"name": card.nemesis.name})
    return Poster(
        title=stable.name,
        heading=stable.season.name,
        sentence=" ".join(parts),
        figures=(
            Figure(_("place"), str(card.rank)),
            Figure(_("reputation"), str(card.reputation)),
            Figure(_("kills"), str(card.kills)),
            Figure(
                pgettext("matches of a season", "won"),
                _("%(wins)s of %(matches)s") % {"wins": card.wins, "matches": card.matches},
            ),
        ),
    )
