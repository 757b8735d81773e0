"""Tables of an event for spreadsheets: the standings for everybody, ledgers and the log for those who may read them."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_safe

from api.files import table_response
from challenge.feeds import tables
from challenge.selectors.log import all_entries
from challenge.views.frame import Visit, for_agents, of_event
from challenge.views.printing import known
from web.slugs import slug_of
from web.tables import EXCEL, PLAIN


def _form(visit: Visit) -> str:
    return EXCEL if visit.request.GET.get("form") == EXCEL else PLAIN


@require_safe
@of_event
def standings(visit: Visit) -> StreamingHttpResponse:
    """Give everybody the standings as CSV; `form=excel` for spreadsheets that want semicolons."""
    name = f"{visit.event.slug}-standings.csv"
    return table_response(name, tables.STANDINGS, tables.standings_rows(visit.book), _form(visit))


@require_safe
@of_event
def ledger(visit: Visit, pilot: str) -> StreamingHttpResponse:
    """Give one pilot's ledger as CSV to its player and to those who run a table; `form` as for standings."""
    known(visit, pilot)
    name = f"{visit.event.slug}-{slug_of(pilot, 'pilot')}.csv"
    return table_response(name, tables.LEDGER, tables.ledger_rows(visit.book, pilot), _form(visit))


@require_safe
@of_event
@for_agents
def log(visit: Visit) -> StreamingHttpResponse:
    """Give the log as CSV, oldest first, to those who run a table; `form` as for standings."""
    rows = tables.log_rows(visit.book, all_entries(visit.event))
    return table_response(f"{visit.event.slug}-log.csv", tables.LOG, rows, _form(visit))
