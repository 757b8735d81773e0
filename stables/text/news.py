"""The sentences of the season's news: for each fact, such as "upset", one or several templates of the same meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

from django.utils.translation import gettext_noop

from rules.core.messages import ngettext_noop
from rules.wording.filling import say
from rules.wording.language import Stones
from web.languages.reader import translate

SENTENCES: Mapping[str, Sequence[str]] = {
    "best": (
        # Translators: {losers} may be one stable or several
        gettext_noop("{winner} had the match of the round: {reputation} reputation to {against} against {losers}."),
        # Translators: {losers} may be one stable or several
        gettext_noop("Nobody won by more than {winner}, {reputation} to {against} against {losers}."),
        # Translators: {losers} may be one stable or several
        gettext_noop("The clearest win was that of {winner} over {losers}, {reputation} to {against}."),
    ),
    "best_close": (
        gettext_noop(
            "It was close everywhere; {winner} beat {losers} {reputation} to {against}, and nobody won higher."
        ),
        gettext_noop(
            "No match had a clear favourite at its end: {winner} edged out {losers}, {reputation} to {against}."
        ),
    ),
    "upset": (
        gettext_noop("The upset of the round: {winner} beat {favourite}, who had {gap} reputation more before it."),
        gettext_noop("{favourite} went in {gap} reputation ahead of {winner} and came out beaten."),
        gettext_noop("{winner} was {gap} reputation behind {favourite} before the match and won it all the same."),
    ),
    "dead": (
        gettext_noop("The arena took lives: {names}."),
        gettext_noop("They will not come back: {names}."),
    ),
    "eliminated": (
        gettext_noop("Carried out of the arena: {names}."),
        gettext_noop("Eliminated, and on the way to the workshop: {names}."),
        gettext_noop("For these ’Mechs the round ended early: {names}."),
    ),
    "unhurt": (
        gettext_noop("No ’Mech was eliminated in this round."),
        gettext_noop("Every ’Mech walked home by itself."),
    ),
    "forfeit": (
        # Translators: {losers} may be one stable or several
        gettext_noop("{winner} won without a fight: {losers} did not field anybody."),
        # Translators: {losers} may be one stable or several
        gettext_noop("{losers} stayed away, so {winner} won by forfeit."),
    ),
    "unwon": (ngettext_noop("{count} match has no winner.", "{count} matches have no winner."),),
    "lead_taken": (
        # Translators: {led} may be one stable or several
        gettext_noop("{leader} took the lead from {led} with {reputation} reputation, {ahead} ahead of the next."),
        gettext_noop(
            "There was a new leader then: {leader} with {reputation} reputation, {ahead} ahead. It was {led} before."
        ),
    ),
    "lead_kept": (
        gettext_noop("{leader} stayed in front with {reputation} reputation, {ahead} ahead of the next."),
        gettext_noop("{leader} still led: {reputation} reputation, and {ahead} to the next."),
    ),
    "lead_first": (
        gettext_noop("{leader} led with {reputation} reputation, {ahead} ahead of the next."),
        gettext_noop("The first to lead was {leader} with {reputation} reputation; the next was {ahead} behind."),
    ),
    "lead_by_kills": (gettext_noop("{leader} led by kills alone; the next had {reputation} reputation too."),),
    "lead_shared": (
        # Translators: {leaders} are at least two stables
        gettext_noop("{leaders} shared the lead with {reputation} reputation each."),
        gettext_noop("Nobody led alone: {leaders} had {reputation} reputation each."),
    ),
    "cycle_won": (
        # Translators: {first} is one stable
        gettext_noop("{first} is first in the cycle and takes the purse of {purse}."),
        gettext_noop("The cycle belongs to {first}; the purse of the first place is {purse}."),
    ),
    "cycle_last": (
        # Translators: {last} is one stable
        gettext_noop("{last} is last; the last place brings {purse}."),
        gettext_noop("At the bottom stands {last} with a purse of {purse}."),
    ),
    "cycle_next": (
        gettext_noop("Next is cycle {number}: {format}, {class}."),
        gettext_noop("It goes on with cycle {number}: {format}, {class}."),
    ),
    "season_held": (gettext_noop("{title}: {names}."),),
    "own_won": (
        gettext_noop("You won against {losers}, {reputation} reputation to {against}."),
        gettext_noop("Your match against {losers} is won: {reputation} reputation to {against}."),
    ),
    "own_lost": (
        gettext_noop("You lost to {winner}, {against} reputation to {reputation}."),
        gettext_noop("Your match went to {winner}: {reputation} reputation to your {against}."),
    ),
    "own_melee_lost": (gettext_noop("The grand melee was won by {winner}, not by you."),),
    "own_forfeit_won": (gettext_noop("You won by forfeit: {losers} did not field anybody."),),
    "own_forfeit_lost": (gettext_noop("You forfeited; {winner} won without a fight."),),
    "own_none": (gettext_noop("You had no match with a winner in this round."),),
    "own_market": (gettext_noop("The market is open for cycle {number}: {format}, {class}. You have {capital}."),),
    "own_round": (gettext_noop("Round {number} is next; you have {capital} for repairs."),),
    "own_place": (gettext_noop("The cycle is closed: you are number {place} and get {purse}."),),
}
"""Fact -> templates with {name} placeholders."""

MOST_NAMES = 4
"""The most names in a list; further ones are only counted."""


AMOUNTS = ("capital", "purse")
"""The values that are Stones."""


def news_sentence(fact: str, key: str, values: Mapping[str, Any] | None = None) -> str:
    """Return a sentence for a fact in the reader's language; the same `key` always chooses the same template.

    `values` fill its placeholders; an ellipsis stands for a missing one. Raises KeyError for an unknown fact.
    """
    variants = SENTENCES[fact]
    chosen = variants[crc32(f"{key}:{fact}".encode()) % len(variants)]
    amounts = {name: Stones(value) for name, value in (values or {}).items() if name in AMOUNTS}
    return say(chosen, {**(values or {}), **amounts}, translate)


def listed(names: Sequence[str]) -> str:
    """Return names as a text with commas; names beyond MOST_NAMES are only counted."""
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    values = {"names": ", ".join(names[:MOST_NAMES]), "count": len(names) - MOST_NAMES}
    # Translators: {names} is a list with commas
    return say("{names} and {count} more", values, translate)
