"""Champions and records across seasons, and how two stables fared against each other (reads)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Count, Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from stables.leaders import HEAVY
from stables.models import Asset, Fixture, Placing, ReputationEntry, Season, Stable, StableIdentity, Title

SEASONS_COUNTED = 200
"""Records are those of the newest so many finished seasons, so that the page costs the same in ten years."""
SEASONS_SHOWN = 60
MEETINGS_SHOWN = 40


@dataclass
class Champions:
    """A finished season and who holds its titles."""

    season: Season
    stables: list[Title] = field(default_factory=list)
    individuals: list[Title] = field(default_factory=list)


@dataclass(frozen=True)
class Best:
    """A record: what it is, how much, whose, and in which season."""

    label: str | Promise
    value: int
    name: str
    stable: Stable


def champions() -> list[Champions]:
    """The newest finished seasons with their champions; two queries."""
    seasons = Season.objects.filter(state=Season.State.FINISHED).defer("secret", "settings", "calendar").order_by("-pk")
    found = {season.pk: Champions(season) for season in seasons[:SEASONS_SHOWN]}
    titles = Title.objects.filter(season__in=list(found)).select_related("stable__identity", "asset", "match")
    for title in titles.defer(*HEAVY).order_by("id"):
        held = found[title.season_id]
        title.stable.season = held.season
        (held.stables if title.kind == Title.Kind.STABLE else held.individuals).append(title)
    return list(found.values())


def records() -> list[Best]:
    """The records of the newest finished seasons; eight queries. Nobody holds a record of nothing."""
    newest = Season.objects.filter(state=Season.State.FINISHED).order_by("-pk").values_list("pk", flat=True)
    seasons = list(newest[:SEASONS_COUNTED])
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
        found.append((_("Longest row of wins in a season"), *streak, None))
    return _named([each for each in found if each[1] > 0])


def _longest_streak(own: Any) -> tuple[int, int] | None:
    """The longest row of wins and the stable that has it; one query."""
    fought = (
        own.exclude(fixture=None)
        .values_list("stable", "fixture")
        .annotate(won=Sum("wins"), played=Sum("matches"))
        .order_by("stable", "fixture__round__cycle__number", "fixture__round__number", "fixture")
    )
    best = None
    for stable, rows in groupby(fought, key=itemgetter(0)):
        # What a correction voided was not played.
        length = longest_row(won > 0 for _stable, _fixture, won, played in rows if played > 0)
        if best is None or length > best[0]:
            best = (length, stable)
    return best


def longest_row(wins: Iterable[bool]) -> int:
    """Return the largest number of wins one after the other."""
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
    """One season of an identity: its stable there, what it did, and its titles."""

    stable: Stable
    reputation: int = 0
    kills: int = 0
    wins: int = 0
    matches: int = 0
    titles: list[str] = field(default_factory=list)


def seasons_of(identity: StableIdentity) -> list[PastSeason]:
    """The seasons of an identity, the newest first; three queries."""
    stables = (
        identity.stables.exclude(season__state=Season.State.DRAFT).select_related("season").defer("season__secret")
    )
    found = {stable.pk: PastSeason(stable) for stable in stables.order_by("-season")}
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
        found[title.stable_id].titles.append(name if title.asset is None else f"{name}: {title.asset.label}")
    return list(found.values())


def met_by(identity: StableIdentity) -> list[StableIdentity]:
    """The identities that this one has shared a season with, those it met most often first; one query."""
    shared = identity.stables.values("season")
    met = StableIdentity.objects.filter(stables__season__in=shared).exclude(pk=identity.pk)
    return list(met.annotate(times=Count("stables__season", distinct=True)).order_by("-times", "name", "pk")[:60])


@dataclass(frozen=True)
class Meeting:
    """A match of two identities against each other: what each banked, and who won it (1, 2, or null for neither)."""

    fixture: Fixture
    reputation: tuple[int, int]
    winner: int | None


def meetings(first: StableIdentity, second: StableIdentity) -> list[Meeting]:
    """The settled matches in which two identities stood on different sides, the newest first; four queries."""
    pairs = _sides(first), _sides(second)
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
    told = {(fixture, stable): (earned, won) for fixture, stable, earned, won in sums}
    found = []
    for fixture in fixtures:
        (earned, won), (other_earned, other_won) = (
            told.get((fixture.pk, side[fixture.pk][1]), (0, 0)) for side in pairs
        )
        winner = 1 if won > other_won else 2 if other_won > won else None
        found.append(Meeting(fixture, (earned, other_earned), winner))
    return found


def _sides(identity: StableIdentity) -> Mapping[int, tuple[str, int]]:
    rows = Stable.objects.filter(identity=identity, fixture_sides__fixture__kind=Fixture.Kind.MATCH)
    listed = rows.values_list("fixture_sides__fixture", "fixture_sides__side", "pk")
    return {fixture: (side, stable) for fixture, side, stable in listed}


def own_names(user: Any) -> list[str]:
    """The names of a person's stables of all seasons, to be taken up again; one query, none for strangers."""
    if not user.is_authenticated:
        return []
    return list(StableIdentity.objects.filter(owner=user).order_by("name").values_list("name", flat=True))
