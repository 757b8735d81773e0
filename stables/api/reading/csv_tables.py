"""The endpoints of tables for spreadsheets: the standings of a season, and the ledgers of its stables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse

from api.description import describes
from api.files import Cell, CsvRenderer, table_response
from stables.api.base import SeasonEndpoint
from stables.models import LedgerEntry, Season, Title
from stables.presenters.standings import in_order, stable_rows
from stables.text import names as words

TOPIC = "Exports"
STANDINGS = (
    "rank",
    "tied",
    "stable",
    "slug",
    "reputation",
    "kills",
    "wins",
    "losses",
    "purses",
    "net_worth",
    "champion",
)
LEDGER = ("stable", "slug", "number", "posted_at", "cause", "what_for", "stones", "balance")
ABOUT = (
    "UTF-8, with lines as in RFC 4180; the first line names the columns. A text that a spreadsheet would take for a "
    "formula (it begins with = + - @, a tab or the end of a line) has an apostrophe in front."
)


def csv_answer(name: str, head: tuple[str, ...], row: str) -> OpenApiResponse:
    """Return the description of a CSV answer named `name`; the example has the line of columns and `row`."""
    text = f"{','.join(head)}\r\n{row}\r\n"
    return OpenApiResponse({"type": "string"}, ABOUT, [OpenApiExample(name, text, media_type="text/csv")])


LEDGER_ANSWER = csv_answer(
    "A ledger",
    LEDGER,
    "Iron Dogs,iron-dogs,1,3152-03-01T18:00:00Z,starting_capital,Starting capital of the season,900,900",
)


class StandingsTable(SeasonEndpoint):
    """The standings as a table."""

    renderer_classes = [CsvRenderer]

    @describes(
        "standings_csv",
        "The standings of a season as CSV",
        TOPIC,
        answers=csv_answer("Standings", STANDINGS, "1,false,Iron Dogs,iron-dogs,120,7,5,2,260,1040,false"),
    )
    def get(self, request: Any, season_slug: str) -> StreamingHttpResponse:
        """Return a line for each stable in the order of the standings, with the numbers of the standings page."""
        season = self.season()
        return table_response(f"{season.slug}-standings.csv", STANDINGS, _standings(season))


class StableLedgerTable(SeasonEndpoint):
    """The ledger of a stable as a table."""

    renderer_classes = [CsvRenderer]

    @describes("stable_ledger_csv", "The ledger of a stable as CSV", TOPIC, answers=LEDGER_ANSWER)
    def get(self, request: Any, season_slug: str, stable_slug: str) -> StreamingHttpResponse:
        """Return a line for each movement of a stable's Stones, the oldest first."""
        stable = self.stable(stable_slug)
        name = f"{season_slug}-{stable.slug}-ledger.csv"
        return table_response(name, LEDGER, _ledger(LedgerEntry.objects.filter(stable=stable)))


class SeasonLedgerTable(SeasonEndpoint):
    """The ledgers of a season as one table."""

    renderer_classes = [CsvRenderer]

    @describes("season_ledger_csv", "The ledgers of all stables as CSV", TOPIC, answers=LEDGER_ANSWER)
    def get(self, request: Any, season_slug: str) -> StreamingHttpResponse:
        """Return a line for each movement of Stones in a season, stable by stable, each stable's oldest first."""
        entries = LedgerEntry.objects.filter(stable__season=self.season(), stable__removed_at=None)
        return table_response(f"{season_slug}-ledger.csv", LEDGER, _ledger(entries))


def _standings(season: Season) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each stable, in the order of the standings; always six queries. Fetch the season with its
    release.
    """
    titles = Title.objects.filter(season=season, kind=Title.Kind.STABLE)
    champions = set(titles.values_list("stable", flat=True))
    for row in in_order(stable_rows(season).values()):
        yield (
            row.standing.rank,
            row.standing.is_shared,
            row.stable.name,
            row.stable.slug,
            row.total.reputation,
            row.total.kills,
            row.total.wins,
            row.total.losses,
            row.purses,
            row.worth,
            row.stable.pk in champions,
        )


def _ledger(entries: QuerySet[Any]) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each entry, by number of the stable and then the oldest first. One query; the entries are not
    kept in memory.
    """
    for entry in entries.select_related("stable").order_by("stable__number", "sequence").iterator(1000):
        yield (
            entry.stable.name,
            entry.stable.slug,
            entry.sequence,
            entry.created_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
            entry.cause,
            words.ledger_sentence(entry.cause, entry.parameters),
            entry.amount,
            entry.balance_after,
        )
