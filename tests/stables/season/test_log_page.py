"""The season's log: its news in words, its pages, and that a line never breaks them."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.wording.filling import placeholders
from stables.models import FixtureSide, LogEntry, Season, Stable
from stables.services.base.log import record
from stables.services.base.news import tell_result
from stables.services.results import settlement
from stables.services.standings import closing
from stables.text.log import SENTENCES, log_sentence
from tests.stables.conftest import first_round, play_out_typed, type_in

pytestmark = pytest.mark.django_db


def address(season: Season) -> str:
    return reverse("stables:log", args=[season.slug])


def sentences(season: Season, code: str) -> list[str]:
    return [log_sentence(entry.code, entry.parameters) for entry in LogEntry.objects.filter(season=season, code=code)]


def test_pairings_and_results_are_shown_once(sealed: Season) -> None:
    fixtures = first_round(sealed)
    [paired] = sentences(sealed, "round_paired")
    assert all(name in paired for name in ("Ash", "Birch", "Cedar", "Dogwood"))
    for fixture in fixtures:
        type_in(fixture, units={"red": {"kills": 2}})
        for _ in range(2):
            settlement.settle_fixture(fixture_id=fixture.pk)
    match_lines = sentences(sealed, "match_won")
    assert len(match_lines) == 2
    winner, loser = (fixtures[0].sides.get(side=side).stable.name for side in ("red", "blue"))
    assert match_lines[0].startswith(f"Round 1: {winner} beat {loser}. Reputation 95 : 20")


@pytest.mark.parametrize(
    ("tie_break", "told"), [("total", "lower build total"), ("die", "die"), (None, "only one side was left")]
)
def test_o_s17_the_log_says_what_decided_an_even_match(sealed: Season, tie_break: str | None, told: str) -> None:
    [fixture, _] = first_round(sealed)
    type_in(fixture, reputation=(10, 10))
    assert fixture.match is not None
    fixture.match.result["tie_break"] = tie_break
    fixture.match.save(update_fields=["result"])
    settlement.settle_fixture(fixture_id=fixture.pk)
    [sentence] = sentences(sealed, "match_won")
    assert "Reputation 10 : 10, " in sentence
    assert told in sentence.split("10 : 10, ")[1]
    page = Client().get(reverse("stables:fixture", args=[sealed.slug, fixture.pk])).content.decode()
    assert sentence.split("10 : 10, ")[1].split(";")[0] in page, "the log says what the page of the match says"


def test_what_decides_stands_only_where_sides_were_even(sealed: Season) -> None:
    [fixture, _] = first_round(sealed)
    type_in(fixture)
    settlement.settle_fixture(fixture_id=fixture.pk)
    assert "decided_by" not in LogEntry.objects.get(code="match_won").parameters
    assert sentences(sealed, "match_won")[0].endswith("Reputation 95 : 20, kills 0 : 0.")


def test_r_for_05_a_forfeit_is_shown_as_one(sealed: Season) -> None:
    [fixture, _] = first_round(sealed)
    loser, winner = (fixture.sides.get(side=side) for side in ("red", "blue"))
    fixture.sides.filter(pk=loser.pk).update(forfeits="late")
    settlement.settle_fixture(fixture_id=fixture.pk)
    [sentence] = sentences(sealed, "match_forfeited")
    won = f"Round 1: {winner.stable.name} wins by forfeit against {loser.stable.name}"
    assert sentence == f"{won}: the match was not played in time."
    # Lines from before the reason was kept stay readable.
    old = log_sentence("match_forfeited", {"round": 1, "winner": "A", "others": "B"})
    assert old == "Round 1: A wins by forfeit against B."


def test_several_forfeits_for_different_reasons_are_all_named(sealed: Season) -> None:
    [fixture, _] = first_round(sealed)
    whys = {"red": "", "blue": "late", "green": "no_show", "white": "no_show"}
    names = dict(zip(whys, ("Ash", "Birch", "Cedar", "Dogwood"), strict=True))
    sides = [FixtureSide(side=side, stable=Stable(name=names[side]), forfeits=why) for side, why in whys.items()]
    tell_result(fixture, sides, {"winner": "red", "ended_by": "forfeit", "sides": {}})
    [sentence] = sentences(sealed, "match_forfeited")
    assert sentence == (
        "Round 1: Ash wins by forfeit against Birch, Cedar, Dogwood: Birch: the match was not played in time; "
        "Cedar: it did not come; Dogwood: it did not come."
    )
    tell_result(fixture, sides[2:], {"winner": None, "ended_by": "forfeit", "sides": {}})
    [sentence] = sentences(sealed, "match_without_winner")
    assert sentence == "Round 1: nobody wins the match of Cedar, Dogwood: it did not come."
    old = log_sentence("match_without_winner", {"round": 1, "others": "A, B"})
    assert old == "Round 1: nobody wins the match of A, B."


def test_the_places_of_a_closed_cycle_are_shown_with_their_purses(stocked: Season) -> None:
    play_out_typed(stocked)
    closing.close_cycle(cycle_id=stocked.cycles.get().pk)
    [sentence] = sentences(stocked, "cycle_closed")
    assert sentence.startswith("Cycle 1 is closed. Places, with purses in Stones: 1. ")
    assert sentence.count("(") == 4


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_every_sentence_can_be_filled(code: str) -> None:
    sentence = log_sentence(code, {name: f"<{name}>" for name in placeholders(SENTENCES[code])})
    assert "{" not in sentence
    assert "…" not in sentence
    assert log_sentence(code, {}), "a line without its parameters is shown all the same"


def test_a_code_that_is_gone_is_shown_all_the_same() -> None:
    assert log_sentence("dropped_long_ago", {}) == "Something happened (dropped_long_ago)."


def test_the_log_has_pages_and_shows_one_cycle_alone(season: Season) -> None:
    cycle = season.cycles.get()
    for number in range(60):
        record(season, "sudden_death_begun", {"title": f"title {number}"}, cycle=cycle if number == 7 else None)
    client = Client()
    first = client.get(address(season))
    assert len(first.context["lines"]) == 50
    assert "title 59" in first.content.decode()
    assert "title 5”" not in first.content.decode()
    assert "title 5”" in client.get(address(season), {"page": "2"}).content.decode()
    alone = client.get(address(season), {"cycle": "1"})
    assert [line.entry.parameters["title"] for line in alone.context["lines"]] == ["title 7"]
    for query in ({"page": "x"}, {"page": "-3"}, {"cycle": "9"}, {"cycle": "<b>"}):
        assert client.get(address(season), query).status_code == 200
    assert client.post(address(season)).status_code == 405
    assert client.get("/seasons/no-such/log/").status_code == 404


def test_a_draft_has_no_log_for_anybody(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(state=Season.State.DRAFT)
    assert Client().get(address(season)).status_code == 404


def test_the_log_names_who_did_it_and_escapes_what_people_wrote(season: Season, django_user_model: Any) -> None:
    actor = django_user_model.objects.create_user("mara", "mara@example.org")
    record(season, "title_held", {"title": "x", "holder": "<script>", "how": "y"}, actor=actor)
    page = Client().get(address(season)).content.decode()
    assert "mara" in page
    assert "<script>" not in page.split("<main")[1]
    assert "&lt;script&gt;" in page


def test_the_log_takes_few_queries_however_long_it_is(season: Season) -> None:
    counts = []
    for lines in (1, 70):
        for _ in range(lines):
            record(season, "season_finished", cycle=season.cycles.get())
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(address(season)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 6


def test_the_seasons_page_shows_the_newest_lines(season: Season) -> None:
    record(season, "season_finished")
    page = Client().get(season.get_absolute_url()).content.decode()
    assert "The season is over, and its results stand." in page
    assert address(season) in page
