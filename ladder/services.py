"""The only writers of the ladder. Each match is rated once, and ratings follow one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Prefetch

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
from matches.models import Match, MatchSeat
from rules.measuring.ratings import Rating

THE_LADDER = 1
"""The id of the one row."""

SEATS = Prefetch("seats", queryset=MatchSeat.objects.select_related("user"))


@transaction.atomic
def rate_match(match_id: int) -> int | None:
    """Lock the ladder, and rate a finished match, if it may count, as the next one. Safe to repeat.

    Return its number in the order of rated matches. Return None, and write nothing, when the players do not show who is
    better (`players_of`), no play decided it (`places_held`), a guest plays in a friendly match, whose name anybody may
    draw again, the match went on from another one, or not everybody may see it. A match that was won with help gets a
    number, too, but changes no figures: a correction may let it count later.
    """
    ladder = _locked()
    known = RatedMatch.objects.filter(match=match_id).first()
    if known is not None:
        return known.number
    match = Match.objects.prefetch_related(SEATS).get(pk=match_id)
    players = None if match.is_continued else players_of(match)
    corrected = corrected_results(Match.objects.filter(pk=match_id)).get(match_id)
    if players is None or places_held(match, corrected) is None or not is_open(match):
        return None
    if match.fixture_key is None and any(seat.user is not None and seat.user.is_guest for seat in match.seats.all()):
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
    """A player whose stored figures differ from those that follow from the matches.

    `stored` is None when the row is missing, `folded` when there should be no row.
    """

    player: Player
    stored: Figures | None
    folded: Figures | None


@transaction.atomic
def rebuild(*, is_trial: bool = False) -> list[Difference]:
    """Lock the ladder, fold all rated matches again by their valid results, and replace the figures if any differ.

    Return the differences from the stored figures. With `is_trial` no figures are written.
    """
    _locked()
    stored = {_player(row): _figures(row) for row in LadderPlayer.objects.all()}
    folded: dict[Player, Figures] = {}
    corrected = corrected_results(Match.objects.filter(rated__isnull=False))
    for rated in _rated():
        players = players_of(rated.match)
        if players is None:
            # Somebody removed an account from the database by hand, so the match no longer has all its players.
            continue
        helped = helped_sides(rated.match, players, rated.advised)
        places = places_that_count(rated.match, corrected.get(rated.match_id), helped)
        # A match that was voided or won with help does not count.
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
    """Fold the ladder again after a match was corrected, if the match is rated. Safe to repeat.

    A voided match keeps its place in the order: another correction may let it count again.
    """
    _locked()
    if RatedMatch.objects.filter(match=match_id).exists():
        rebuild()


def _locked() -> Ladder:
    """Return the ladder's row, locked until this transaction ends."""
    Ladder.objects.get_or_create(pk=THE_LADDER)
    return Ladder.objects.select_for_update().get(pk=THE_LADDER)


def _rated() -> Iterator[RatedMatch]:
    rows = RatedMatch.objects.order_by("number").select_related("match").prefetch_related("match__seats")
    return rows.defer("match__setup", "match__seed").iterator(chunk_size=500)


def _rows_of(players: Iterable[Player]) -> Iterator[LadderPlayer]:
    """Yield the stored rows of these players; two queries."""
    players = set(players)
    accounts = [player.user_id for player in players if player.user_id is not None]
    yield from LadderPlayer.objects.filter(user__in=accounts)
    bots = {player.bot for player in players if player.bot}
    for row in LadderPlayer.objects.filter(user=None, bot__in=bots):
        if _player(row) in players:
            yield row


def _store(figures: dict[Player, Figures]) -> None:
    """Store the figures of each player; they replace the old ones. Lock the ladder before."""
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
