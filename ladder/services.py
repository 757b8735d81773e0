"""The only writers of the ladder: a match is rated once, after those that were rated before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db import transaction

from ladder.models import Ladder, LadderPlayer, RatedMatch
from ladder.selectors.folding import (
    Figures,
    Player,
    advised_sides,
    fold,
    helped_sides,
    is_open,
    places_held,
    places_that_count,
    players_of,
)
from matches.host import corrected_results, surroundings_of
from matches.models import Match
from rules.measuring.ratings import Rating

THE_LADDER = 1
"""The id of the one row."""


@transaction.atomic
def rate_match(match_id: int) -> int | None:
    """Rate a finished match, if it may count, as the next one. Safe to repeat.

    One that was won with help takes its number too and changes no figures: a correction may let it count.
    Returns: its number in the order of rated matches; None where it cannot count.
    """
    ladder = _locked()
    known = RatedMatch.objects.filter(match=match_id).first()
    if known is not None:
        return known.number
    match = Match.objects.prefetch_related("seats").defer("seed").get(pk=match_id)
    players = players_of(match)
    corrected = corrected_results(Match.objects.filter(pk=match_id)).get(match_id)
    if players is None or places_held(match, corrected) is None or not is_open(match):
        return None
    programs = sorted(set(surroundings_of(match).programs) & set(players))
    advised = advised_sides(match)
    places = places_that_count(match, corrected, helped_sides(match, players, advised))
    if places is not None:
        figures = {_player(row): _figures(row) for row in _rows_of(players.values())}
        _store(fold(figures, match, players, places, programs))
    ladder.rated += 1
    ladder.save()
    RatedMatch.objects.create(match=match, number=ladder.rated, programs=programs, advised=advised)
    return ladder.rated


@dataclass(frozen=True)
class Difference:
    """A player whose stored figures are not those of the matches; None for a row that is not there, or should not."""

    player: Player
    stored: Figures | None
    folded: Figures | None


@transaction.atomic
def rebuild(*, is_trial: bool = False) -> list[Difference]:
    """Fold all rated matches again, by the results that hold of them, and put that in place of the stored figures.

    With `is_trial` nothing is written. Returns: where the two differ.
    """
    _locked()
    stored = {_player(row): _figures(row) for row in LadderPlayer.objects.all()}
    folded: dict[Player, Figures] = {}
    corrected = corrected_results(Match.objects.filter(rated__isnull=False))
    for rated in _rated():
        players = players_of(rated.match)
        if players is None:
            # An account was removed from the database by hand: such a match tells nothing any more.
            continue
        helped = helped_sides(rated.match, players, rated.advised)
        places = places_that_count(rated.match, corrected.get(rated.match_id), helped)
        # Nor does one that was voided, or won with help.
        if places is not None:
            folded |= fold(folded, rated.match, players, places, rated.programs)
    differences = [
        Difference(player, stored.get(player), folded.get(player))
        for player in sorted({*stored, *folded}, key=str)
        if stored.get(player) != folded.get(player)
    ]
    if not is_trial and differences:
        LadderPlayer.objects.all().delete()
        _store(folded)
    return differences


@transaction.atomic
def follow_correction(match_id: int) -> None:
    """Let the figures follow another result that holds of a match, if it is a rated one. Safe to repeat.

    The match keeps its place in the order, also when it is voided: another correction may let it count again.
    """
    _locked()
    if RatedMatch.objects.filter(match=match_id).exists():
        rebuild()


def _locked() -> Ladder:
    """Return the ladder's row, which nobody else has until this transaction ends."""
    Ladder.objects.get_or_create(pk=THE_LADDER)
    return Ladder.objects.select_for_update().get(pk=THE_LADDER)


def _rated() -> Iterator[RatedMatch]:
    rows = RatedMatch.objects.order_by("number").select_related("match").prefetch_related("match__seats")
    return rows.defer("match__setup", "match__seed").iterator(chunk_size=500)


def _rows_of(players: Iterable[Player]) -> Iterator[LadderPlayer]:
    """Yield the stored rows of these players, where there is one; two queries."""
    players = set(players)
    accounts = [player.user_id for player in players if player.user_id is not None]
    yield from LadderPlayer.objects.filter(user__in=accounts)
    bots = {player.bot for player in players if player.bot}
    for row in LadderPlayer.objects.filter(user=None, bot__in=bots):
        if _player(row) in players:
            yield row


def _store(figures: dict[Player, Figures]) -> None:
    """Write these figures, each over those that are stored of the player."""
    stored = {_player(row): row for row in _rows_of(figures)}
    for player, figure in figures.items():
        row = stored.get(player) or LadderPlayer(
            bot=player.bot, rules_version=player.rules_version, user_id=player.user_id
        )
        row.mean, row.deviation = figure.rating
        row.matches, row.last_match_at = figure.matches, figure.last_match_at
        row.has_been_program = figure.has_been_program
        row.save()


def _player(row: LadderPlayer) -> Player:
    return Player(row.bot, row.rules_version, row.user_id)


def _figures(row: LadderPlayer) -> Figures:
    return Figures(Rating(row.mean, row.deviation), row.matches, row.last_match_at, row.has_been_program)
