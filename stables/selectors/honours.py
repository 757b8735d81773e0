"""Champions and records across seasons, and the meetings of two stables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from stables.models import (
    Asset,
    Fixture,
    Placing,
    ProvisionalTitle,
    ReputationEntry,
    Season,
    Stable,
    StableIdentity,
    Title,
)
from stables.selectors.access import listed_seasons, visible_seasons
from stables.selectors.leaders import HEAVY
from web.languages.words import sort_key

SEASONS_COUNTED = 200
"""The number of finished seasons, newest first, that records count, so that the page costs the same in ten years."""
SEASONS_SHOWN = 60
MEETINGS_SHOWN = 40


@dataclass
class Champions:
    """A season and the holders of its titles, provisional ones until it is closed."""

    season: Season
    stables: list[Title | ProvisionalTitle] = field(default_factory=list)
    individuals: list[Title | ProvisionalTitle] = field(default_factory=list)

    @property
    def is_provisional(self) -> bool:
        return self.season.state == Season.State.PROVISIONAL


@dataclass(frozen=True)
class Best:
    """A record: its label, its value, the name of its holder, and the holder's stable with its season.

    The value is in points of reputation, kills, Stones or wins in a row, as the label says.
    """

    label: str | Promise
    value: int
    name: str
    stable: Stable


def finished(user: Any) -> QuerySet[Season]:
    """Return the finished seasons that a reader's lists show, the newest first."""
    return listed_seasons(user).filter(state=Season.State.FINISHED).order_by("-pk")


def champions(user: Any) -> list[Champions]:
    """Return the newest SEASONS_SHOWN seasons of the reader's lists that have champions, provisional ones included.

    Two queries, and a third one if a season is not closed yet.
    """
    crowned = listed_seasons(user).filter(state__in=(Season.State.PROVISIONAL, Season.State.FINISHED)).order_by("-pk")
    return with_champions(crowned.defer("secret", "settings", "calendar")[:SEASONS_SHOWN])


def with_champions(seasons: Iterable[Season]) -> list[Champions]:
    """Return the seasons in their order, each with the holders of its titles.

    One query beyond their own, and a second one if a season is not closed yet.
    """
    found = {season.pk: Champions(season) for season in seasons}
    open_ones = [pk for pk, line in found.items() if line.is_provisional]
    holders: list[Title | ProvisionalTitle] = list(_holders(Title, [pk for pk in found if pk not in open_ones]))
    if open_ones:
        holders += _holders(ProvisionalTitle, open_ones)
    for title in holders:
        held = found[title.season_id]
        title.stable.season = held.season
        (held.stables if title.kind == Title.Kind.STABLE else held.individuals).append(title)
    return list(found.values())


def _holders(model: Any, seasons: list[int]) -> Any:
    found = model.objects.filter(season__in=seasons).select_related("stable__identity", "asset", "match")
    return found.defer(*HEAVY).order_by("id")


def records(user: Any) -> list[Best]:
    """Return the records of the newest SEASONS_COUNTED finished seasons of the reader's lists; at most ten queries.

    Records of 0 and below are left out. Of equal records the one of the older stable or individual is named.
    """
    seasons = list(finished(user).values_list("pk", flat=True)[:SEASONS_COUNTED])
    book = ReputationEntry.objects.filter(stable__season__in=seasons).order_by()
    own, individuals = book.filter(asset=None), book.exclude(asset=None)
    found: list[tuple[str | Promise, int, int, int | None]] = []

    def add(label: str | Promise, rows: Any, *names: str) -> None:
        for row in rows.order_by("-best", *names)[:1]:
            found.append((label, row["best"], row["stable"], row.get("asset")))

    add(_("Most reputation in a season"), own.values("stable").annotate(best=Sum("amount")), "stable")
    matches = own.exclude(fixture=None).values("stable", "fixture").annotate(best=Sum("amount"))
    add(_("Most reputation in a match"), matches, "stable", "fixture")
    add(_("Most kills in a season"), own.values("stable").annotate(best=Sum("kills")), "stable")
    pilots = individuals.values("stable", "asset")
    add(_("Most reputation of a pilot or ’Mech"), pilots.annotate(best=Sum("amount")), "asset")
    add(_("Most kills of a pilot or ’Mech"), pilots.annotate(best=Sum("kills")), "asset")
    purses: Any = Placing.current().filter(cycle__season__in=seasons).order_by().values("stable")
    add(_("Most Stones of purses in a season"), purses.annotate(best=Sum("purse")), "stable")
    streak = _longest_streak(own)
    if streak is not None:
        found.append((_("Longest winning streak in a season"), *streak, None))
    return _named([each for each in found if each[1] > 0])


def _longest_streak(own: Any) -> tuple[int, int] | None:
    """Return the length of the longest streak of wins in a season, and the id of the stable that has it.

    Of equal streaks it is that of the older stable. None when nobody has an entry for a match. One query.
    """
    fought = (
        own.exclude(fixture=None)
        .values_list("stable", "fixture")
        .annotate(won=Sum("wins"), played=Sum("matches"))
        .order_by("stable", "fixture__round__cycle__number", "fixture__round__number", "fixture")
    )
    best = None
    for stable, rows in groupby(fought, key=itemgetter(0)):
        # A voided match was not played.
        length = longest_row(won > 0 for _stable, _fixture, won, played in rows if played > 0)
        if best is None or length > best[0]:
            best = (length, stable)
    return best


def longest_row(wins: Iterable[bool]) -> int:
    """Return the length of the longest streak of wins, 0 without a win."""
    longest = current = 0
    for won in wins:
        current = current + 1 if won else 0
        longest = max(longest, current)
    return longest


def _named(found: list[tuple[str | Promise, int, int, int | None]]) -> list[Best]:
    stables = Stable.objects.select_related("season", "identity").defer("season__secret")
    by_id = stables.in_bulk({stable for _label, _value, stable, _asset in found})
    assets = Asset.objects.in_bulk({asset for _label, _value, _stable, asset in found if asset is not None})
    return [
        Best(label, value, by_id[stable].name if asset is None else assets[asset].label, by_id[stable])
        for label, value, stable, asset in found
    ]


# Of one identity ------------------------------------------------------------------------------------------------------


@dataclass
class PastSeason:
    """One season of an identity: its stable there, its totals, and its titles in words."""

    stable: Stable
    reputation: int = 0
    kills: int = 0
    wins: int = 0
    matches: int = 0
    titles: list[str] = field(default_factory=list)


def identities_seen(user: Any) -> QuerySet[StableIdentity]:
    """Return the identities that a reader may see: their own, and those with a stable in a season that they may see.

    Drafts do not count.
    """
    seen = StableIdentity.objects.filter(Exists(Stable.objects.filter(identity=OuterRef("pk"), season__in=_seen(user))))
    if user.is_authenticated:
        seen |= StableIdentity.objects.filter(owner=user.pk)
    return seen


def _seen(user: Any) -> QuerySet[Season]:
    return visible_seasons(user).exclude(state=Season.State.DRAFT)


def seasons_of(identity: StableIdentity, user: Any) -> list[PastSeason]:
    """Return the seasons of an identity that the reader's lists show, the newest first; at most three queries."""
    stables = identity.stables.filter(season__in=listed_seasons(user)).select_related("season").defer("season__secret")
    found = {stable.pk: PastSeason(stable) for stable in stables.order_by("-season_id")}
    sums = (
        ReputationEntry.objects.filter(stable__in=list(found), asset=None)
        .order_by()
        .values("stable")
        .annotate(earned=Sum("amount"), killed=Sum("kills"), won=Sum("wins"), played=Sum("matches"))
    )
    for row in sums:
        past = found[row["stable"]]
        past.reputation, past.kills, past.wins, past.matches = (
            row["earned"],
            row["killed"],
            row["won"],
            row["played"],
        )
    for title in Title.objects.filter(stable__in=list(found)).select_related("stable", "asset").order_by("id"):
        name = str(title.get_kind_display())
        if title.asset is not None:
            name = gettext("%(title)s: %(name)s") % {"title": name, "name": title.asset.label}
        found[title.stable_id].titles.append(name)
    return list(found.values())


def met_by(identity: StableIdentity, user: Any) -> list[StableIdentity]:
    """Return the identities that shared a season with this one, those met most often first; one query.

    They are at most 60. Only seasons that the reader's lists show count.
    """
    shared = identity.stables.filter(season__in=listed_seasons(user)).values("season")
    met = StableIdentity.objects.filter(stables__season__in=shared, stables__removed_at=None).exclude(pk=identity.pk)
    found: Any = met.annotate(times=Count("stables__season", distinct=True)).order_by("-times", "name", "pk")[:60]
    return sorted(found, key=lambda other: (-other.times, sort_key(other.name)))


@dataclass(frozen=True)
class Meeting:
    """A match between two identities: the reputation that each banked, and the winner (1, 2, or None for neither)."""

    fixture: Fixture
    reputation: tuple[int, int]
    winner: int | None


def meetings(first: StableIdentity, second: StableIdentity, user: Any) -> list[Meeting]:
    """Return the settled matches in which two identities were on different sides, the newest first.

    Only matches of seasons that the reader's lists show are included. At most four queries.
    """
    pairs = _sides(first, user), _sides(second, user)
    both = sorted(
        (fixture for fixture in pairs[0].keys() & pairs[1].keys() if pairs[0][fixture][0] != pairs[1][fixture][0]),
        reverse=True,
    )
    fixtures = (
        Fixture.objects.filter(pk__in=both, result__isnull=False)
        .select_related("round__cycle__season", "match")
        .defer(*HEAVY, "round__cycle__season__secret")
        .order_by("-pk")
    )
    stables = {side[fixture][1] for side in pairs for fixture in both}
    sums = (
        ReputationEntry.objects.filter(fixture__in=both, stable__in=stables, asset=None)
        .order_by()
        .values_list("fixture", "stable")
        .annotate(earned=Sum("amount"), won=Sum("wins"))
    )
    facts = {(fixture, stable): (earned, won) for fixture, stable, earned, won in sums}
    found = []
    for fixture in fixtures:
        (earned, won), (other_earned, other_won) = (
            facts.get((fixture.pk, side[fixture.pk][1]), (0, 0)) for side in pairs
        )
        winner = 1 if won > other_won else 2 if other_won > won else None
        found.append(Meeting(fixture, (earned, other_earned), winner))
    return found


def _sides(identity: StableIdentity, user: Any) -> Mapping[int, tuple[str, int]]:
    stables = Stable.objects.filter(identity=identity, season__in=listed_seasons(user))
    rows = stables.filter(fixture_sides__fixture__kind=Fixture.Kind.MATCH)
    listed = rows.values_list("fixture_sides__fixture", "fixture_sides__side", "pk")
    return {fixture: (side, stable) for fixture, side, stable in listed}


def own_names(user: Any) -> list[str]:
    """Return the names of a person's identities by alphabet, for use again; one query, none without a login."""
    if not user.is_authenticated:
        return []
    return sorted(StableIdentity.objects.filter(owner=user).values_list("name", flat=True), key=sort_key)
