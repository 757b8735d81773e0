"""The curve of chances in a replay: its corners, its table, where its points lead, and what it never tells."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils.html import strip_tags

from jobs.services import run_pending
from matches.host import Surroundings
from matches.models import Match, MatchForecast
from matches.presenters.forecasts import ForecastView, SideChance, view_of
from matches.presenters.replaying.curve import HEIGHT, MARGIN, WIDTH, chance_curve_of
from matches.presenters.replaying.replay import Step, cut_into_steps, rounds_of
from matches.services import forecasts
from rules.measuring.forecasts import Forecast, Tally
from tests.markup import closed_up
from tests.matches.hosts import Host
from web.crumbs import Link

SIDES = [("red", "Red"), ("blue", "Blue")]
NOON = datetime(3152, 3, 1, 12, tzinfo=UTC)
NOTHING = Forecast(Tally(0, {}, {}, 0))


def steps(*rounds: int) -> list[Step]:
    return [Step(number=number, round=each, phase="move") for number, each in enumerate(rounds, start=1)]


def view(*chances: int, spread: int = 20) -> ForecastView:
    """A forecast with these chances in percent."""
    keys = [key for key, _ in SIDES] if len(chances) == 2 else [f"s{number}" for number in range(len(chances))]
    side_chances = (
        SideChance(key, chance, chance, max(0, chance - spread), min(100, chance + spread))
        for key, chance in zip(keys, chances, strict=True)
    )
    return ForecastView(tuple(side_chances), 24, 24, "greedy", "1.0", 7.5, (), NOON, NOTHING)


def test_points_stand_where_rounds_begin_and_lines_end_with_the_result() -> None:
    cut = steps(0, 1, 1, 2, 2)
    curve = chance_curve_of(SIDES, cut, {1: view(50, 50), 2: view(75, 25)}, cut[3], "blue")
    assert curve is not None
    bottom, top, right = HEIGHT - MARGIN, MARGIN, WIDTH - MARGIN
    first, second = MARGIN + round((WIDTH - 2 * MARGIN) / 4), MARGIN + round(3 * (WIDTH - 2 * MARGIN) / 4)
    assert (
        curve.lines[0].points
        == f"{first},{HEIGHT // 2} {second},{MARGIN + (HEIGHT - 2 * MARGIN) // 4} {right},{bottom}"
    )
    assert curve.lines[1].points.endswith(f"{right},{top}")
    assert [(moment.round, moment.step) for moment in curve.moments] == [(1, 2), (2, 4), (None, 5)]
    assert curve.now == second
    assert (curve.fewest, curve.widest, curve.bot) == (24, 20, "greedy")


def test_every_place_of_the_drawing_leads_to_one_moment() -> None:
    cut = steps(0, 1, 1, 2, 3)
    curve = chance_curve_of(SIDES, cut, {1: view(50, 50), 2: view(60, 40), 3: view(70, 30)}, cut[0], None)
    assert curve is not None
    strips = [(moment.left, moment.left + moment.width) for moment in curve.moments]
    assert (strips[0][0], strips[-1][1]) == (0, WIDTH)
    assert all(strip[1] == following[0] for strip, following in pairwise(strips))
    assert all(left <= moment.across <= right for moment, (left, right) in zip(curve.moments, strips, strict=True))


def test_the_band_is_the_interval_of_the_first_of_two_sides() -> None:
    cut = steps(1, 2)
    curve = chance_curve_of(SIDES, cut, {1: view(50, 50), 2: view(50, 50, spread=50)}, cut[0], None)
    assert curve is not None
    right = WIDTH - MARGIN
    assert curve.band.split()[1:3] == [f"{right},{MARGIN}", f"{right},{HEIGHT - MARGIN}"]
    many = [(f"s{number}", f"Side {number}") for number in range(3)]
    crowded = chance_curve_of(many, cut, {1: view(40, 30, 30)}, cut[0], None)
    assert crowded is not None
    assert crowded.band == ""


def test_without_forecasts_there_is_no_curve() -> None:
    cut = steps(0, 1)
    assert chance_curve_of(SIDES, cut, {}, cut[0], "red") is None


@pytest.fixture
def few(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.FORECASTS = True
    monkeypatch.setattr(forecasts, "A_ROUND", 3)


@pytest.mark.django_db
def test_the_page_shows_the_curve_with_its_table_and_says_what_it_is(
    few: None, finished: Match, client: Client
) -> None:
    address = finished.get_absolute_url()
    assert "round by round" not in client.get(address).content.decode()
    forecasts.ask_for_missing()
    run_pending()
    shown = client.get(address).content.decode()
    section = shown[shown.index("round by round") : shown.index("Dials at this moment")]
    assert "Our estimate, not part of the rules" in section
    assert "finished the match 3 times" in section
    assert "knowing what a spectator knew" in section
    assert section.count("<polyline") == 2
    events = [event for step in finished.actions.order_by("sequence") for event in step.events]
    cut = cut_into_steps(events)
    moments = [step.number for step in rounds_of(cut) if step.round] + [len(cut)]
    svg, table = section[: section.index("</svg>")], section[section.index("<tbody>") :]
    assert [int(step) for step in re.findall(r'href="\?step=(\d+)#replay"', svg)] == moments
    assert [int(step) for step in re.findall(r'href="\?step=(\d+)#replay"', table)] == moments
    for row in MatchForecast.objects.all():
        side = view_of(row).sides[0]
        assert f"{side.chance} ({side.low} to {side.high})" in table


@pytest.mark.django_db
def test_what_no_play_out_came_to_is_not_shown_as_impossible(few: None, finished: Match, client: Client) -> None:
    """In the curve as in the forecast of a fixture; what the match came to in the end is certain."""
    forecasts.ask_for_missing()
    run_pending()
    tally = Tally(24, {"red": 0, "blue": 24}, {"last_side": 24}, 200)
    MatchForecast.objects.update(tally=tally.to_json(), counted=24, wanted=24)
    section = client.get(finished.get_absolute_url()).content.decode().split("round by round")[1]
    cells = re.findall(r'<td class="number">(.*?)</td>', closed_up(section[: section.index("</tbody>")]))
    assert set(cells[:-2]) == {"1 (0 to 14)", "99 (86 to 100)"}
    assert sorted(cells[-2:]) == ["0", "100"]


@pytest.mark.django_db
def test_the_curves_name_the_sides_as_the_page_does(
    few: None, finished: Match, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the colours that stand at the lines: a stable where one plays, as in the forecast of its fixture."""
    forecasts.ask_for_missing()
    run_pending()
    known = Surroundings(sides={"red": Link("Hawks & Sons", "/hawks"), "blue": Link("Red Corsairs", "/corsairs")})
    Host(surroundings=known).instead(monkeypatch)
    shown = client.get(finished.get_absolute_url()).content.decode()
    for heading, following in (("Reputation over the match", "round by round"), ("round by round", "Dials at this")):
        section = shown[shown.index(heading) : shown.index(following)]
        for part in (section[section.index("</svg>") : section.index("<table")], section[section.index("<thead>") :]):
            text = " ".join(strip_tags(part.replace("<", " <")).split())
            assert "Red Hawks &amp; Sons Blue Red Corsairs" in text


@pytest.mark.django_db
def test_a_forecast_that_is_being_counted_is_shown_as_far_as_it_is(few: None, finished: Match, client: Client) -> None:
    question = next(forecasts.of_match(finished))
    forecasts.go_on(question)
    row = MatchForecast.objects.get()
    row.wanted = 24
    row.save()
    view = view_of(row)
    assert (view.play_outs, view.wanted, view.is_complete) == (3, 24, False)
    assert sum(side.wins for side in view.sides) == 3
    assert "finished the match 3 times" in client.get(finished.get_absolute_url()).content.decode()


def test_who_is_ahead_is_ahead_by_more_than_chance() -> None:
    assert view(80, 20).favourite is not None
    assert view(60, 40).favourite is None
    assert view(34, 33, 33, spread=5).favourite is None


def test_a_translator_gets_whole_sentences() -> None:
    source = (settings.BASE_DIR / "templates" / "matches" / "chances.html").read_text(encoding="utf-8")
    explanation = source.split('<p class="quiet">')[1].split("</p>")[0]
    sentences = re.findall(r"blocktranslate[^%]*%\}(.*?)\{% endblocktranslate", explanation, re.DOTALL)
    assert len(sentences) == 3
    assert all(sentence.strip().endswith(".") for sentence in sentences)
    assert re.sub(r"\{%.*?%\}", "", re.sub(r"%\}[^%]*\{% endblock", "%}{% endblock", explanation)).strip() == ""
