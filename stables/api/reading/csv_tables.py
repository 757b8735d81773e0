"""The endpoints of tables for spreadsheets: standings, units, pilots and ledgers of a season."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet, Sum, prefetch_related_objects
from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiResponse

from api.description import describes
from api.files import CsvRenderer, TableQuery, table_response
from rules.campaign.standings.crew_records import NO_RECORD, crew_records
from stables.api.base import SeasonEndpoint
from stables.models import Asset, LedgerEntry, ReputationEntry, Season, Title
from stables.presenters.standings import add_schedules, in_order, stable_rows
from stables.selectors.assets import state_of
from stables.selectors.records import documents_of
from stables.text import names as words
from web.tables import PLAIN, Cell

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
    "owner",
    "is_ai",
    "left_in_cycle",
    "matches",
    "reputation_a_match",
    "strength_of_schedule",
)
RECORD = ("matches", "wins", "losses", "kills", "damage_taken", "eliminations", "reputation")
UNITS = ("stable", "slug", "code", "key", "name", "price_paid", "state", "damage", "sold", *RECORD)
PILOTS = ("stable", "slug", "code", "key", "name", "price_paid", "dead", "sold", *RECORD)
LEDGER = ("stable", "slug", "number", "posted_at", "cause", "what_for", "stones", "balance")
ABOUT = (
    "UTF-8, with lines as in RFC 4180; the first line names the columns. A text that a spreadsheet would take for a "
    "formula (it begins with = + - @, a tab or the end of a line) has an apostrophe in front. Sentences are in "
    "English. `form=excel` gives the same table with a byte order mark, semicolons, commas in decimal numbers, and "
    "sentences in your language."
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


class TableEndpoint(SeasonEndpoint):
    """A table of a season, in the form that the query asks for."""

    renderer_classes = [CsvRenderer]

    def table(self, name: str, head: tuple[str, ...], rows: Iterator[tuple[Cell, ...]]) -> StreamingHttpResponse:
        """Return the file. Raises ValidationError for a query that is not a TableQuery."""
        return table_response(name, head, rows, self.asked(TableQuery).get("form", PLAIN))


class StandingsTable(TableEndpoint):
    """The standings as a table."""

    @describes(
        "standings_csv",
        "The standings of a season as CSV",
        TOPIC,
        answers=csv_answer(
            "Standings", STANDINGS, "1,false,Iron Dogs,iron-dogs,120,7,5,2,260,1040,false,anna,false,,7,17.14,52.4"
        ),
        asks=TableQuery,
    )
    def get(self, request: Any, season_slug: str) -> StreamingHttpResponse:
        """Return a line for each stable in the order of the standings, with the numbers of the standings page.

        `owner` is empty for a stable that the AI runs or that nobody owns, `left_in_cycle` while the stable takes part,
        and `reputation_a_match` without a match. `strength_of_schedule` is a statistic of the house, in percent.
        """
        season = self.season()
        return self.table(f"{season.slug}-standings.csv", STANDINGS, _standings(season))


class UnitsTable(TableEndpoint):
    """The units of a season as a table."""

    @describes(
        "season_units_csv",
        "The units of a season as CSV",
        TOPIC,
        answers=csv_answer(
            "Units", UNITS, "Iron Dogs,iron-dogs,unit:SOL002:1,SOL002,Hellion,128,able,2,false,3,2,1,2,9,1,0"
        ),
        asks=TableQuery,
    )
    def get(self, request: Any, season_slug: str) -> StreamingHttpResponse:
        """Return a line for each unit that a stable has or had, with its own record in the results that hold.

        `matches` are those in which it was in the arena, `damage` the clicks off its start marker now, `damage_taken`
        the clicks that it lost in matches. `reputation` is that of units that fight without a pilot.
        """
        season = self.season()
        return self.table(f"{season.slug}-units.csv", UNITS, _assets(season, Asset.Kind.UNIT))


class PilotsTable(TableEndpoint):
    """The pilots of a season as a table."""

    @describes(
        "season_pilots_csv",
        "The pilots of a season as CSV",
        TOPIC,
        answers=csv_answer(
            "Pilots", PILOTS, "Iron Dogs,iron-dogs,pilot:GS-008:1,GS-008,A gunslinger,14,false,false,3,2,1,2,9,1,190"
        ),
        asks=TableQuery,
    )
    def get(self, request: Any, season_slug: str) -> StreamingHttpResponse:
        """Return a line for each pilot that a stable has or had, with their own record in the results that hold.

        `damage_taken` and `eliminations` are those of the units that they piloted.
        """
        season = self.season()
        return self.table(f"{season.slug}-pilots.csv", PILOTS, _assets(season, Asset.Kind.PILOT))


class StableLedgerTable(TableEndpoint):
    """The ledger of a stable as a table."""

    @describes("stable_ledger_csv", "The ledger of a stable as CSV", TOPIC, answers=LEDGER_ANSWER, asks=TableQuery)
    def get(self, request: Any, season_slug: str, stable_slug: str) -> StreamingHttpResponse:
        """Return a line for each movement of a stable's Stones, the oldest first."""
        stable = self.stable(stable_slug)
        name = f"{season_slug}-{stable.slug}-ledger.csv"
        return self.table(name, LEDGER, _ledger(LedgerEntry.objects.filter(stable=stable)))


class SeasonLedgerTable(TableEndpoint):
    """The ledgers of a season as one table."""

    @describes("season_ledger_csv", "The ledgers of all stables as CSV", TOPIC, answers=LEDGER_ANSWER, asks=TableQuery)
    def get(self, request: Any, season_slug: str) -> StreamingHttpResponse:
        """Return a line for each movement of Stones in a season, stable by stable, each stable's oldest first."""
        entries = LedgerEntry.objects.filter(stable__season=self.season(), stable__removed_at=None)
        return self.table(f"{season_slug}-ledger.csv", LEDGER, _ledger(entries))


def _standings(season: Season) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each stable, in the order of the standings; always eight queries. Fetch the season with its
    release. Everybody who may see the season may know the owners, as its page names them.
    """
    titles = Title.objects.filter(season=season, kind=Title.Kind.STABLE)
    champions = set(titles.values_list("stable", flat=True))
    ordered = in_order(stable_rows(season).values())
    add_schedules(ordered, documents_of(season))
    prefetch_related_objects([row.stable for row in ordered], "owner")
    for row in ordered:
        stable = row.stable
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
            stable.pk in champions,
            stable.owner.get_username() if stable.owner is not None and not stable.is_ai else "",
            stable.is_ai,
            stable.left_in_cycle,
            row.total.matches,
            row.total.reputation_a_match,
            row.schedule,
        )


def _assets(season: Season, kind: str) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each unit or pilot of a season, by number of the stable and in the order of first purchase.

    Three queries. Fetch the season with its release.
    """
    records = crew_records(documents_of(season))
    book = ReputationEntry.objects.filter(stable__season=season, asset__kind=kind).order_by()
    earned = dict(book.values_list("asset").annotate(Sum("amount")))
    assets = Asset.objects.filter(stable__season=season, kind=kind).select_related("stable")
    for asset in assets.order_by("stable__number", "id"):
        record = records.get((asset.stable.number, asset.code), NO_RECORD)
        is_unit = asset.kind == Asset.Kind.UNIT
        state: tuple[Cell, ...] = (state_of(season, asset), asset.damage) if is_unit else (asset.died_at is not None,)
        yield (
            asset.stable.name,
            asset.stable.slug,
            asset.code,
            asset.catalogue_key,
            asset.label,
            asset.price_paid,
            *state,
            asset.sold_at is not None,
            record.matches,
            record.wins,
            record.losses,
            record.kills,
            record.damage,
            record.eliminations,
            earned.get(asset.pk, 0),
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
