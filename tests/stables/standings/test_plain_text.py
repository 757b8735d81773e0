"""Pairings, results and standings as plain text: aligned, with plain names, and on the pages without JavaScript."""

from __future__ import annotations

import re
from html import unescape
from re import DOTALL, search
from typing import Any

import pytest
from django.test import Client

from stables.models import FixtureSide, Season, Stable
from stables.presenters.printing.plain_text import MOST_ROWS, PlainText, text_table, width
from stables.services.results import settlement
from tests.stables.conftest import pair, type_in


def shown(client: Client, address: str, key: str) -> str:
    """The text in the field with this id; "" without one."""
    page = client.get(address).content.decode()
    found = search(rf'<textarea id="{key}"([^>]*)>(.*?)</textarea>', page, DOTALL)
    if found is None:
        return ""
    assert "readonly" in found[1]
    assert f'data-copies="{key}"' in page
    return unescape(found[2])


def test_columns_stand_under_each_other_whatever_the_names() -> None:
    table = text_table(
        ["No.", "Stable", "Points"],
        [["1", "Ash", "95"], ["12", "白虎", "5"], ["3", "A\u030angstrom", "100"], ["4", "\u2068\u05d0\u2069", "–"]],
        numbers=(0, 2),
    )
    lines = table.split("\n")
    assert lines[:3] == ["No.  Stable    Points", "---  --------  ------", "  1  Ash           95"]
    # A wide letter takes two places, a sign above another and one that only turns the text take none.
    assert {width(line) for line in lines} == {21}


def test_a_name_in_two_lines_breaks_no_table_and_a_long_text_is_scrolled() -> None:
    assert text_table(["A"], [["one\n two\tthree"]]).split("\n")[2] == "one two three"
    assert PlainText("k", "t", "\n" * 50).rows == MOST_ROWS
    assert PlainText("k", "t", "one\ntwo").rows == 2


@pytest.mark.django_db
def test_a_round_is_copied_with_its_pairings_and_then_its_results(
    client: Client, season: Season, stocked: Season
) -> None:
    first, second = pair(season)
    Stable.objects.filter(number=1).update(name="*Ash* <b>")
    address = season.get_absolute_url()
    names = [
        " – ".join(FixtureSide.objects.filter(fixture=fixture).order_by("id").values_list("stable__name", flat=True))
        for fixture in (first, second)
    ]
    arenas = [season.release.entries.get(kind="arenas", key=fixture.arena_key).name for fixture in (first, second)]
    text = shown(client, address, "pairings-1-1")
    lines = text.split("\n")
    assert lines[:3] == ["Test season", "Cycle 1, round 1: Standard, Featherweight (light)", ""]
    assert [line.split("  ")[0].strip() for line in lines[3:5]] == ["Match", "-----"]
    assert [line[7:].split("  ")[0].strip() for line in lines[5:]] == names
    assert [line.endswith(arena) for line, arena in zip(lines[5:], arenas, strict=True)] == [True, True]
    assert "*Ash* <b>" in text
    assert shown(client, address, "results-1-1") == ""
    type_in(first)
    settlement.settle_fixture(fixture_id=first.pk)
    won, waits = shown(client, address, "results-1-1").split("\n")[5:]
    winner = first.sides.get(side="red").stable.name
    assert [part.strip() for part in won.split("  ") if part] == ["1", names[0], "95 : 20", "0 : 0", f"{winner} wins"]
    assert [part.strip() for part in waits.split("  ") if part] == ["2", names[1], "–", "–", "line-ups are revealed"]


@pytest.mark.django_db
def test_a_bye_stands_below_the_matches(client: Client, season: Season, stocked: Season) -> None:
    Stable.objects.filter(season=season, number=4).update(left_in_cycle=1)
    pair(season)
    bye = FixtureSide.objects.get(fixture__kind="bye").stable.name
    assert shown(client, season.get_absolute_url(), "pairings-1-1").endswith(f"\nBye: {bye}")


@pytest.mark.django_db
def test_standings_are_copied_in_their_order(client: Client, season: Season, stocked: Season) -> None:
    first, _ = pair(season)
    Stable.objects.filter(season=season, number=4).update(left_in_cycle=1)
    type_in(first)
    settlement.settle_fixture(fixture_id=first.pk)
    text = shown(client, f"{season.get_absolute_url()}standings/", "standings")
    title, heading, empty, heads, _line, *rows = text.split("\n")
    assert (title, heading, empty) == ("Test season", "Standings", "")
    assert heads.split() == ["Rank", "Stable", "Reputation", "Kills", "Wins", "Losses", "Purses"]
    winner = first.sides.get(side="red").stable.name
    assert rows[0].split() == ["1", winner, "95", "0", "1", "0", "0"]
    assert len(rows) == 4
    assert sum("(withdrew)" in row for row in rows) == 1
    # The loser keeps nothing, as those who did not play.
    assert [row.split()[0] for row in rows] == ["1", "2=", "2=", "2="]


@pytest.mark.django_db
def test_without_a_round_or_a_stable_there_is_nothing_to_copy(client: Client, release: Any, season: Season) -> None:
    page = client.get(season.get_absolute_url()).content.decode()
    assert re.findall('data-copies="([^"]*)"', page) == ["shared-page"], "only the address of the page"
