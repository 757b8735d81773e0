"""Pairings, results and standings as tables of plain text, to paste into a chat, a mail or a forum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import category, east_asian_width

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules.wording.filling import fill
from stables.models import Cycle, Fixture, Round, Season
from stables.presenters.standings import StandingRow
from stables.selectors.fixtures import arena_names, pairing_of
from stables.text import names as words

GAP = "  "
MOST_ROWS = 16
"""The most rows of a field for such a text; a longer text is scrolled."""


@dataclass(frozen=True)
class PlainText:
    """A text to copy: its `key` is its id on the page, and `title` says what it is."""

    key: str
    title: str
    text: str

    @property
    def rows(self) -> int:
        return min(self.text.count("\n") + 1, MOST_ROWS)


def texts_of_round(
    season: Season, cycle: Cycle, shown: Round, fixture_views: Sequence[Mapping[str, Any]]
) -> list[PlainText]:
    """Return the pairings of a round, and its results once there is one; no query if the release is cached.

    `fixture_views` are those of stables.presenters.season_parts.fixture_view. Fetch `season` with its release.
    """
    key, head = f"{cycle.number}-{shown.number}", _head(season, cycle, shown)
    found = [PlainText(f"pairings-{key}", _("Pairings as text"), pairings_text(season, head, fixture_views))]
    if any(view["result"] for view in fixture_views):
        found.append(PlainText(f"results-{key}", _("Results as text"), results_text(head, fixture_views)))
    return found


def _head(season: Season, cycle: Cycle, shown: Round) -> str:
    values = {
        "cycle": cycle.number,
        "round": shown.number,
        "format": words.word(words.FORMATS, cycle.format),
        "class": words.word(words.CLASSES, cycle.match_class),
    }
    head = fill(_("Cycle {cycle}, round {round}: {format}, {class}"), values)
    return f"{season.name}\n{head}"


def pairings_text(season: Season, head: str, fixture_views: Iterable[Mapping[str, Any]]) -> str:
    """Return who meets whom in which arena as a table below `head`, and who has a bye."""
    rows, byes = [], []
    for view in fixture_views:
        fixture: Fixture = view["fixture"]
        if fixture.kind == Fixture.Kind.BYE:
            byes.append(_meeting(view))
            continue
        rows.append([str(fixture.number), _meeting(view), arena_names(season, fixture.arena_key)])
    table = text_table([_("Match"), _("Stables"), _("Arena")], rows, numbers=(0,))
    return _below(head, table, *(fill(_("Bye: {stable}"), {"stable": bye}) for bye in byes))


def results_text(head: str, fixture_views: Iterable[Mapping[str, Any]]) -> str:
    """Return the results of a round as a table below `head`; a match without one shows its state."""
    rows = []
    for view in fixture_views:
        fixture, document = view["fixture"], view["result"]
        if fixture.kind == Fixture.Kind.BYE:
            continue
        sides = _sides(view)
        reputation = " : ".join(_amount(side["reputation"]) for side in sides.values()) if document else "–"
        kills = " : ".join(_amount(side["kills"]) for side in sides.values()) if document else "–"
        rows.append([str(fixture.number), _meeting(view), reputation, kills, _outcome(view)])
    heads = [_("Match"), _("Stables"), _("Reputation"), _("Kills"), _("Outcome")]
    return _below(head, text_table(heads, rows, numbers=(0,)))


def standings_text(season: Season, rows: Iterable[StandingRow]) -> PlainText:
    """Return the stables by reputation, in the order given, as a table below the season's name."""
    lines = []
    for row in rows:
        name = row.stable.name
        if row.stable.left_in_cycle:
            name = fill(_("{stable} (withdrew)"), {"stable": name})
        rank = f"{row.standing.rank}{'=' if row.standing.is_shared else ''}"
        total = row.total
        amounts = (total.reputation, total.kills, total.wins, total.losses, row.purses)
        lines.append([rank, name, *map(str, amounts)])
    heads = [
        pgettext("standings", "Rank"),
        _("Stable"),
        _("Reputation"),
        _("Kills"),
        _("Wins"),
        _("Losses"),
        _("Purses"),
    ]
    table = text_table(heads, lines, numbers=(0, 2, 3, 4, 5, 6))
    return PlainText("standings", _("Standings as text"), _below(f"{season.name}\n{_('Standings')}", table))


def _sides(view: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return one stable of each side, by the name of the side; partners share the numbers of their side."""
    return {each["side"].side: each for each in view["sides"]}


def _meeting(view: Mapping[str, Any]) -> str:
    return pairing_of(each["side"] for each in view["sides"])


def _outcome(view: Mapping[str, Any]) -> str:
    document = view["result"]
    if not document:
        return str(view["state_name"])
    if document["ended_by"] == "void":
        return _("voided")
    winners = [each["stable"].name for each in view["sides"] if each["won"]]
    if not winners:
        return _("nobody wins")
    template = _("{winner} wins by forfeit") if document["ended_by"] == "forfeit" else _("{winner} wins")
    said = fill(template, {"winner": " & ".join(winners)})
    return f"{said} ({view['decided_by']})" if view["decided_by"] else said


def _amount(number: int | None) -> str:
    return "–" if number is None else str(number)


def _below(head: str, table: str, *more: str) -> str:
    return "\n".join((head, "", table, *more))


# The table -----------------------------------------------------------------------------------------------------------


def text_table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """Return a table in lines, its columns under each other in a font of even width; `numbers` stand to the right."""
    cells = [[" ".join(cell.split()) for cell in row] for row in (heads, *rows)]
    widths = [max(width(row[column]) for row in cells) for column in range(len(heads))]
    lines = []
    for row in cells:
        parts = []
        for column, cell in enumerate(row):
            blanks = " " * (widths[column] - width(cell))
            parts.append(blanks + cell if column in numbers else cell + blanks)
        lines.append(GAP.join(parts).rstrip())
    lines.insert(1, GAP.join("-" * each for each in widths))
    return "\n".join(lines)


def width(text: str) -> int:
    """Return how many places a text takes in a font of even width: two for a wide letter, none for an invisible one."""
    return sum(
        0 if category(sign) in ("Mn", "Me", "Cf") else 2 if east_asian_width(sign) in "WF" else 1 for sign in text
    )
