"""Pictures of a season: their numbers are those of standings, ledger and results, and all of them stand in a table."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalogue.services.releases import load_release
from jobs.services import run_pending
from stables.models import Asset, Fixture, LedgerEntry, Placing, Season, Stable
from stables.presenters.charts import facts
from stables.presenters.charts.season import rounds_chart, signs_of
from stables.services.garage import repairs
from stables.services.season import seasons
from stables.services.standings import closing
from tests.stables.conftest import first_round, open_with, pair, play_out_typed
from tests.stables.results.test_corrections import VOID, correct, reported, to
from tests.stables.season_worlds import Enters, world_of
from tests.stables.tabletop_matches import blue_wins, fixture_of, person, red_wins
from web.charts.lines import LineChart
from web.charts.signs import COLOURS, DASHES, SHAPES

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"
MOST_QUERIES = 15
NAMES = ("reputation", "capital", "head-to-head", "fixtures", "rounds-1")


def page_of(season: Season, client: Client | None = None, **asked: Any) -> Any:
    answer = (client or Client()).get(reverse("stables:pictures", args=[season.slug]), asked)
    assert answer.status_code == 200
    return answer


def file_of(season: Season, name: str, client: Client | None = None) -> ElementTree.Element:
    answer = (client or Client()).get(reverse("stables:picture", args=[season.slug, name]))
    assert answer.status_code == 200, name
    assert answer.headers["Content-Type"].startswith("image/svg+xml")
    return ElementTree.fromstring(answer.content)


def played(release: Any, stables: int = 4, cycles: int = 2, name: str = "Played") -> Season:
    """A season of machines, played to its end by the jobs."""
    settings = {"weight_class": "light", "cycles": ["standard", "weapons_dead"][:cycles]}
    opened = seasons.open_season(name=name, settings=settings, release=release, secret=b"0123456789abcdef" * 2)
    for number in range(stables):
        seasons.found_stable(season_id=opened.season_id, name=f"Machines {number + 1}", bot="random")
    seasons.start_season(season_id=opened.season_id)
    run_pending()
    return Season.objects.get(pk=opened.season_id)


two_cycles = world_of("two cycles of machines", lambda: played(load_release()))


@pytest.fixture
def long_season(db: None, two_cycles: Enters) -> Season:
    found: Season = two_cycles()
    return found


def cells(chart: LineChart) -> dict[str, list[str]]:
    """The rows of a chart's table by their name, without the letter of the stable."""
    return {name.split(" ", 1)[1] if chart.table.has_names else name: list(row) for name, row in chart.table.rows}


def values(chart: LineChart) -> dict[str, list[int]]:
    """The values at the ends of the marks' words, by line."""
    return {
        line.sign.name: [int(mark.words.rsplit(": ", 1)[1].replace("−", "-").split(" ")[0]) for mark in line.marks]
        for line in chart.lines
    }


# The numbers -----------------------------------------------------------------------------------------------------


def test_reputation_is_that_of_the_standings(long_season: Season) -> None:
    chart = page_of(long_season).context["reputation"]
    rows = Client().get(reverse("stables:standings", args=[long_season.slug])).context["rows"]
    assert len(rows) == len(chart.lines) == 4
    for row in rows:
        totals, sum_so_far = [0], 0
        for number in sorted(row.cycles):
            sum_so_far += row.cycles[number].reputation
            totals.append(sum_so_far)
        assert values(chart)[row.stable.name] == totals
        assert totals[-1] == row.total.reputation
        table = cells(chart)[row.stable.name]
        assert [int(cell.split(" ")[0]) for cell in table] == totals[1:]
    assert any(row.total.reputation for row in rows)


def test_the_standings_and_the_pictures_draw_the_same(long_season: Season) -> None:
    shown = Client().get(reverse("stables:standings", args=[long_season.slug]))
    assert shown.context["chart"] == page_of(long_season).context["reputation"]
    assert 'id="reputation-title"' in shown.content.decode()


def test_the_rounds_of_a_cycle_add_up_to_its_reputation(long_season: Season) -> None:
    for number in (1, 2):
        context = page_of(long_season, cycle=number).context
        assert context["chosen_cycle"] == number
        earned = {
            placing.stable.name: placing.reputation
            for placing in Placing.current().filter(cycle__season=long_season, cycle__number=number)
        }
        assert {name: points[-1] for name, points in values(context["rounds"]).items()} == earned
        rounds = long_season.cycles.get(number=number).rounds_planned or 0
        assert len(context["rounds"].table.columns) == rounds > 1


def test_what_belongs_to_no_round_is_no_round_on_the_axis() -> None:
    chart = rounds_chart([Stable(pk=1, name="Alone")], {1: {0: 5, 1: 3}}, 1)
    assert [text.text for text in chart.places] == ["Start", "Other", "R1"]


def test_capital_is_that_of_the_ledger(long_season: Season) -> None:
    chart = page_of(long_season).context["capital"]
    for stable in long_season.stables.all():
        table = cells(chart)[stable.name]
        ledger = LedgerEntry.objects.filter(stable=stable).order_by("sequence")
        purses = {entry.parameters["cycle"]: entry for entry in ledger if entry.cause == "purse"}
        closed = []
        for number in (1, 2):
            after = [
                entry
                for entry in ledger.filter(sequence__gte=purses[number].sequence)
                if entry.cause in ("purse", "compulsory_repair") and entry.parameters.get("cycle", number) == number
            ]
            following = purses.get(number + 1)
            upto = [entry for entry in after if following is None or entry.sequence < following.sequence]
            bought = ledger.filter(sequence__gt=purses[number].sequence).exclude(cause="compulsory_repair").first()
            upto = [entry for entry in upto if bought is None or entry.sequence < bought.sequence]
            closed.append(upto[-1].balance_after)
        first = ledger[0].balance_after
        assert table == [str(value) for value in (first, *closed, stable.capital)]
        assert values(chart)[stable.name] == [first, *closed, stable.capital]


def test_a_stable_that_came_later_begins_later(season: Season) -> None:
    late = season.stables.get(number=4)
    Stable.objects.filter(pk=late.pk).update(joined_in_cycle=2)
    from stables.presenters.charts.season import capital_chart

    stables = list(season.stables.order_by("number"))
    balances = {stable.pk: {0: 1000, 1: 900} for stable in stables[:3]} | {late.pk: {0: 1000}}
    table = cells(capital_chart(stables, balances))
    assert table["Dogwood"] == ["–", "1000", str(late.capital)]
    assert table["Ash"][:2] == ["1000", "900"]


def test_the_grid_counts_every_match_once_for_each_side(long_season: Season) -> None:
    context = page_of(long_season).context
    rows = Client().get(reverse("stables:standings", args=[long_season.slug])).context["rows"]
    wins, losses, banked = dict.fromkeys(names_in(long_season), 0), dict.fromkeys(names_in(long_season), 0), {}
    for pairing in context["pairings"]:
        for stable, own, other in (
            (pairing.first, pairing.rivalry, pairing.back),
            (pairing.second, pairing.back, pairing.rivalry),
        ):
            wins[stable.name] += own.wins
            losses[stable.name] += own.losses
            banked[stable.name] = banked.get(stable.name, 0) + own.reputation
            assert (own.wins, own.losses) == (other.losses, other.wins)
    assert wins == {row.stable.name: row.total.wins for row in rows}
    assert losses == {row.stable.name: row.total.losses for row in rows}
    assert banked == {row.stable.name: row.total.reputation for row in rows}
    newest = context["pairings"][0].rivalry.last
    assert reverse("stables:fixture", args=[long_season.slug, newest.pk]) in page_of(long_season).content.decode()


def names_in(season: Season) -> list[str]:
    return [stable.name for stable in season.stables.all()]


def test_the_calendar_lists_every_fixture_with_its_winner(long_season: Season) -> None:
    context = page_of(long_season).context
    fixtures = list(Fixture.objects.filter(round__cycle__season=long_season))
    assert {row.fixture.pk for row in context["listed"]} == {fixture.pk for fixture in fixtures}
    assert len(context["calendar"].entries) == len(fixtures)
    for row in context["listed"]:
        document = row.fixture.result.current
        won = [side.stable.name for side in row.fixture.sides.all() if side.side == document["winner"]]
        assert row.winner == " & ".join(won)
    letters = {name: sign.letter for name, sign in zip(names_in(long_season), context["signs"], strict=True)}
    drawn = [entry.winner for entry in context["calendar"].entries]
    assert drawn == [letters.get(row.winner, "") for row in context["listed"]]


def test_cycles_to_come_stand_in_the_calendar(release: Any) -> None:
    season = open_with(release, ["Ash", "Birch"], cycles=["standard", "team"])
    rows = page_of(season).context["calendar"].rows
    assert [(row.under.text, row.note.text) for row in rows] == [("Standard", "market"), ("Team", "still to come")]


# Damage ----------------------------------------------------------------------------------------------------------


def test_a_units_picture_tells_its_matches_its_repair_and_how_it_stands(stocked: Season) -> None:
    play_out_typed(stocked)
    stable = stocked.stables.get(number=1)
    unit = stable.assets.filter(kind=Asset.Kind.UNIT, damage__gt=0).order_by("id")[0]
    before = page_of(stocked, stable=stable.slug).context["damage"]
    chart = next(one for one in before if one.key == f"unit-{unit.pk}")
    rows = [row for _, row in chart.table.rows]
    results = [
        unit_outcome
        for fixture in facts.results_of(stable)
        for unit_outcome in fixture.result.current["units"].values()
        if (unit_outcome["stable"], unit_outcome["asset"]) == (1, unit.code)
    ]
    assert len(results) == len(rows) - 1 > 0
    assert [(row[0], row[1].split(" ")[0]) for row in rows[:-1]] == [
        (str(one["before"]), str(one["clicks"])) for one in results
    ]
    assert rows[-1][1].split(" ")[0] == str(chart.table.rows[-1][1][0])
    assert int(rows[-1][0]) == unit.damage
    closing.close_cycle(cycle_id=stocked.cycles.get().pk)
    unit.refresh_from_db()
    assert unit.damage == 0  # its compulsory repair
    after = next(one for one in page_of(stocked, stable=stable.slug).context["damage"] if one.key == f"unit-{unit.pk}")
    assert [name for name, _ in after.table.rows[-2:]] == ["Repair", "Now"]
    assert after.table.rows[-2][1][:2] == (rows[-1][1].split(" ")[0], "0")
    shown = Client().get(stable.get_absolute_url())
    assert after in shown.context["charts"]
    assert f'id="unit-{unit.pk}-title"' in shown.content.decode()


def test_an_elimination_is_a_cross_and_not_only_a_colour(stocked: Season) -> None:
    play_out_typed(stocked)  # whoever is blue in round 1 loses its unit
    charts = [
        chart
        for stable in stocked.stables.all()
        for chart in page_of(stocked, stable=stable.slug).context["damage"]
        if any("✕" in row[1] for _, row in chart.table.rows)
    ]
    assert charts
    assert all(any(mark.is_cross for mark in chart.lines[0].marks) for chart in charts)


# Corrections -----------------------------------------------------------------------------------------------------


def test_corrections_are_in_every_picture(four: Season) -> None:
    season = reported(four, [red_wins(), blue_wins()])
    before = page_of(season).context
    correct(fixture_of(season), to(blue_wins()))
    after = page_of(season).context
    assert before["reputation"] != after["reputation"]
    assert before["listed"][0].winner != after["listed"][0].winner
    rows = Client().get(reverse("stables:standings", args=[season.slug])).context["rows"]
    assert {name: points[-1] for name, points in values(after["reputation"]).items()} == {
        row.stable.name: row.total.reputation for row in rows
    }
    pairing = next(one for one in after["pairings"] if one.rivalry.last == after["listed"][0].fixture)
    assert {pairing.rivalry.wins, pairing.back.wins} == {0, 1}
    assert (pairing.first.name if pairing.rivalry.wins else pairing.second.name) == after["listed"][0].winner


def test_a_voided_match_is_no_meeting_and_no_wear(four: Season) -> None:
    season = reported(four, [red_wins(), blue_wins()])
    fixture = fixture_of(season)
    ids = {side.stable_id for side in fixture.sides.all()}
    assert {one.first.pk for one in page_of(season).context["pairings"]} & ids
    correct(fixture, VOID)
    context = page_of(season).context
    assert not {one.first.pk for one in context["pairings"]} & ids
    assert context["listed"][0].winner == ""
    slug = fixture.sides.all()[0].stable.slug
    assert page_of(season, stable=slug).context["damage"] == []


# Who may look, and what it costs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["none", "rounds-9", "unit-0", "unit-99999999999999", "reputation-x", "rounds-"])
def test_what_is_not_there_is_not_found(season: Season, name: str) -> None:
    assert Client().get(reverse("stables:picture", args=[season.slug, name])).status_code == 404


def test_a_unit_of_another_season_is_not_shown(release: Any, stocked: Season) -> None:
    other = open_with(release, ["Elm", "Fir"], secret=b"x" * 32)
    unit = Asset.objects.filter(stable__season=stocked, kind=Asset.Kind.UNIT).first()
    assert unit is not None
    assert Client().get(reverse("stables:picture", args=[other.slug, f"unit-{unit.pk}"])).status_code == 404


def test_drafts_and_private_seasons_have_no_pictures_for_strangers(stocked: Season) -> None:
    owner = person("owner")
    Stable.objects.filter(season=stocked, number=1).update(owner=owner, is_ai=False)
    Season.objects.filter(pk=stocked.pk).update(visibility=Season.Visibility.PRIVATE)
    inside, outside = Client(), Client()
    inside.force_login(owner)
    outside.force_login(person("stranger"))
    addresses = [reverse("stables:pictures", args=[stocked.slug])]
    addresses += [reverse("stables:picture", args=[stocked.slug, name]) for name in NAMES[:4]]
    for address in addresses:
        assert inside.get(address).status_code == 200
        assert outside.get(address).status_code == 404
    Season.objects.filter(pk=stocked.pk).update(state=Season.State.DRAFT)
    assert inside.get(addresses[0]).status_code == 404


def test_the_readers_own_stable_is_marked(stocked: Season) -> None:
    owner = person("owner")
    Stable.objects.filter(season=stocked, number=2).update(owner=owner, is_ai=False)
    pair(stocked)
    client = Client()
    client.force_login(owner)
    context = page_of(stocked, client).context
    assert [row.is_own for row in context["listed"]].count(True) == 1
    assert [entry.is_own for entry in context["calendar"].entries].count(True) == 1
    assert context["head_to_head"].own_row is not None
    assert context["shown"].owner_id == owner.pk
    assert page_of(stocked).context["head_to_head"].own_row is None


def test_a_line_up_that_waits_leaves_no_trace(stocked: Season) -> None:
    before = page_of(stocked).context["damage"]
    pair(stocked)
    assert page_of(stocked).context["damage"] == before == []


def test_pictures_take_few_queries_whatever_the_size_of_the_season(release: Any) -> None:
    small = played(release, 2, 1, "Small")
    person_in = Client()
    person_in.force_login(person("reader"))
    page_of(small, person_in)  # the catalogue of a release is read once a process

    def taken(season: Season) -> list[int]:
        counts = []
        for address in (
            reverse("stables:pictures", args=[season.slug]),
            *(reverse("stables:picture", args=[season.slug, name]) for name in NAMES),
        ):
            with CaptureQueriesContext(connection) as queries:
                assert person_in.get(address).status_code == 200
            counts.append(len(queries))
        return counts

    few = taken(small)
    many = taken(played(release, 6, 2, "Large"))
    assert many == few
    assert max(many) <= MOST_QUERIES


def test_a_season_without_stables_has_a_page(release: Any) -> None:
    empty = open_with(release, [])
    assert "Nobody has founded a stable yet" in page_of(empty).content.decode()
    for name in NAMES[:4]:
        file_of(empty, name)


def test_signs_go_by_the_order_of_founding(season: Season) -> None:
    stables = list(season.stables.order_by("number"))
    assert [signs_of(stables)[stable.pk].letter for stable in stables] == ["A", "B", "C", "D"]
    assert len(SHAPES) == len(DASHES) == len(COLOURS)


def test_repairs_between_matches_are_shown_in_their_place(sealed: Season) -> None:
    [first, *_] = first_round(sealed)
    from stables.services.results import settlement
    from tests.stables.conftest import type_in

    for fixture in Fixture.objects.filter(round__cycle__season=sealed):
        type_in(fixture, units={"red": {"clicks": 2}, "blue": {"clicks": 2}})
        settlement.settle_fixture(fixture_id=fixture.pk)
    side = first.sides.get(side="red")
    crew = side.line_up.crews.get()
    repairs.repair(stable_id=side.stable_id, asset_id=crew.unit_id)
    [chart] = [
        one for one in page_of(sealed, stable=side.stable.slug).context["damage"] if one.key == f"unit-{crew.unit_id}"
    ]
    assert [(name, row[:2]) for name, row in chart.table.rows] == [
        ("Match of cycle 1, round 1", ("0", "2")),
        ("Repair", ("2", "0")),
        ("Now", ("0", "0")),
    ]
