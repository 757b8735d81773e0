"""The news that a season writes by itself, and the report that an owner finds on coming back."""

from __future__ import annotations

from string import Formatter
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalogue.services.releases import load_release
from jobs.services import run_pending
from stables.models import Asset, Fixture, LogEntry, Round, Season, Stable
from stables.presenters.news import items
from stables.presenters.news.facts import RoundFacts, rounds_of
from stables.presenters.news.items import NewsItem, season_news
from stables.presenters.season_parts import cycle_parts
from stables.services.results import settlement
from stables.services.season import seasons
from stables.services.standings import closing
from stables.text.news import MOST_NAMES, SENTENCES, listed, news_sentence
from tests.stables.conftest import open_with, pair, type_in
from tests.stables.season_worlds import Enters, world_of
from tests.stables.seasons import stock

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MOST_QUERIES = 15


def facts_of(season: Season) -> list[RoundFacts]:
    return rounds_of(season, season.cycles.prefetch_related(*cycle_parts()))


def news_of(season: Season) -> list[NewsItem]:
    return list(season_news(season, season.cycles.prefetch_related(*cycle_parts())))


def name_of(fixture: Fixture, side: str) -> str:
    return str(fixture.sides.get(side=side).stable.name)


def settle(season: Season, number: int, winners: tuple[str, str] = ("red", "red"), **changes: Any) -> list[Fixture]:
    """Play a round of two matches with typed results: 90 + the match's number against 20."""
    fixtures = pair(season, number)
    for fixture, winner in zip(fixtures, winners, strict=True):
        amounts = (90 + fixture.number, 20)
        type_in(fixture, winner=winner, reputation=amounts if winner == "red" else amounts[::-1], **changes)
        settlement.settle_fixture(fixture_id=fixture.pk)
    return fixtures


def _lenient() -> Season:
    season = open_with(load_release(), ["Ash", "Birch", "Cedar", "Dogwood"], loser_keeps_reputation=True)
    return stock(season)


lenient_stocked = world_of("four stables, stocked, losers keep", _lenient)


@pytest.fixture
def lenient(db: None, lenient_stocked: Enters) -> Season:
    """Four stables that have shopped; losers keep what they earned."""
    found: Season = lenient_stocked()
    return found


def test_a_settled_round_is_shown_by_its_results(lenient: Season) -> None:
    fixtures = settle(lenient, 1)
    [facts] = facts_of(lenient)
    best = facts.best
    assert best is not None
    assert (best.winner, best.losers) == (name_of(fixtures[1], "red"), name_of(fixtures[1], "blue"))
    assert (best.reputation, best.against, best.margin) == (92, 20, 72)
    assert (facts.upset, facts.dead, facts.eliminated, facts.led) == (None, (), (), ())
    assert (facts.leaders, facts.lead) == ((name_of(fixtures[1], "red"),), (92, 1))
    [item] = news_of(lenient)
    text = " ".join(item.sentences)
    assert all(word in text for word in (best.winner, best.losers, "92", "20"))
    assert item.id == "round-1-1"


def test_news_that_nobody_reads_are_not_put_into_words(lenient: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        settle(lenient, number)
    worded: list[RoundFacts] = []
    monkeypatch.setattr(items, "_of_round", worded.append)
    next(season_news(lenient, lenient.cycles.prefetch_related(*cycle_parts())))
    assert [facts.round.number for facts in worded] == [2]


def test_who_beats_one_that_was_ahead_makes_the_upset(lenient: Season) -> None:
    settle(lenient, 1)
    before = {stable.name: total for stable, total in _totals(lenient).items()}
    fixtures = settle(lenient, 2, ("blue", "red"))
    facts = facts_of(lenient)[0]
    winner, favourite = name_of(fixtures[0], "blue"), name_of(fixtures[0], "red")
    gap = before[favourite] - before[winner]
    # Of a pair the one with more reputation plays red, so blue's win is one.
    assert gap >= 0
    upset = facts.upset
    if gap == 0:
        assert upset is None
    else:
        assert upset is not None
        assert (upset.winner, upset.favourite, upset.gap) == (winner, favourite, gap)
        assert any(winner in sentence and str(gap) in sentence for sentence in news_of(lenient)[0].sentences)


def _totals(season: Season) -> dict[Stable, int]:
    return {
        stable: sum(entry.amount for entry in stable.reputation.filter(asset=None)) for stable in season.stables.all()
    }


def test_the_lead_of_the_news_is_that_of_the_books(lenient: Season) -> None:
    for number in (1, 2, 3):
        settle(lenient, number, ("blue", "red"))
    totals = _totals(lenient)
    facts = facts_of(lenient)[0]
    assert {facts.names[number]: total for number, (total, _) in facts.after.items()} == {
        stable.name: total for stable, total in totals.items()
    }
    assert [each.round.number for each in facts_of(lenient)] == [3, 2, 1]


def test_losses_are_named_with_their_stable(lenient: Season) -> None:
    fixtures = pair(lenient, 1)
    for fixture in fixtures:
        type_in(fixture, units={"blue": {"eliminated": fixture.number == 1}})
        settlement.settle_fixture(fixture_id=fixture.pk)
    [loss] = facts_of(lenient)[0].eliminated
    crew = fixtures[0].sides.get(side="blue").line_up.crews.get()
    assert (loss.name, loss.stable) == (crew.unit.label, name_of(fixtures[0], "blue"))
    assert any(f"{loss.name} ({loss.stable})" in sentence for sentence in news_of(lenient)[0].sentences)


def test_a_round_that_is_not_settled_is_no_news(lenient: Season) -> None:
    first, _second = pair(lenient, 1)
    type_in(first)
    settlement.settle_fixture(fixture_id=first.pk)
    assert Round.objects.get().state != Round.State.SETTLED
    assert news_of(lenient) == []
    shown = Client().get(reverse("stables:news", args=[lenient.slug])).content.decode()
    assert "No news yet" in shown


def test_forfeits_are_shown_and_are_no_wins_to_boast_of(lenient: Season) -> None:
    Season.objects.filter(pk=lenient.pk).update(state=Season.State.RUNNING)
    absent = lenient.stables.get(number=1)
    Asset.objects.filter(stable=absent, kind="unit").update(sold_at="2026-01-01T00:00Z")
    fixtures = pair(lenient, 1)
    for fixture in fixtures:
        if not fixture.sides.exclude(forfeits="").exists():
            type_in(fixture)
        settlement.settle_fixture(fixture_id=fixture.pk)
    facts = facts_of(lenient)[0]
    [forfeit] = [match for match in facts.matches if match.by_forfeit]
    assert forfeit.losers == absent.name
    assert facts.best is not forfeit
    assert any(absent.name in sentence for sentence in news_of(lenient)[0].sentences)


def test_a_played_season_is_shown_to_its_end(release: Any) -> None:
    season = open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"], cycles=["standard", "team"], matches_per_cycle=1)
    seasons.start_season(season_id=season.pk)
    run_pending()
    shown = Client().get(reverse("stables:news", args=[season.slug])).content.decode()
    for place in ("titles", "cycle-2", "round-2-1", "cycle-1", "round-1-1"):
        assert f'id="{place}"' in shown
    assert shown.index('id="titles"') < shown.index('id="cycle-2"') < shown.index('id="round-1-1"')
    first = season.titles.get(kind="stable").stable.name
    assert first in shown
    # The newest stands on the season's page, with a link to all of them.
    page = Client().get(season.get_absolute_url()).content.decode()
    assert reverse("stables:news", args=[season.slug]) in page
    assert "…" not in "".join(sentence for item in news_of(season) for sentence in item.sentences)


def test_the_words_of_a_round_stay_the_same_and_differ_between_rounds(lenient: Season) -> None:
    settle(lenient, 1)
    assert news_of(lenient) == news_of(Season.objects.get(pk=lenient.pk))
    said = {news_sentence("best", f"season:1:{number}", {}) for number in range(40)}
    assert len(said) == len(SENTENCES["best"])


def test_all_sentences_of_a_fact_take_the_same_facts() -> None:
    known = {
        "best": {"winner", "losers", "reputation", "against"},
        "upset": {"winner", "favourite", "gap"},
        "lead_taken": {"leader", "led", "reputation", "ahead"},
    }
    for fact, variants in SENTENCES.items():
        names = [{name for _, name, _, _ in Formatter().parse(each) if name} for each in variants]
        assert variants, fact
        if fact in known:
            assert set.union(*names) <= known[fact]
    assert listed([str(number) for number in range(MOST_NAMES + 3)]).endswith("and 3 more")


def test_the_page_of_news_costs_the_same_for_a_long_season(lenient: Season) -> None:
    address = reverse("stables:news", args=[lenient.slug])
    client = Client()
    client.get(address)
    taken = []
    for number in (1, 2, 3):
        settle(lenient, number)
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        taken.append(len(queries))
    assert len(set(taken)) == 1
    assert taken[0] <= MOST_QUERIES


# The report ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def reader(lenient: Season) -> Stable:
    """A stable of the season that belongs to a person."""
    owner = get_user_model().objects.create_user("reader", "reader@example.org", "-")
    Stable.objects.filter(season=lenient, number=1).update(is_ai=False, owner=owner)
    return lenient.stables.select_related("season").get(number=1)


def test_an_owner_finds_a_report_until_they_have_read_it(lenient: Season, reader: Stable) -> None:
    client = Client()
    client.force_login(reader.owner)
    page = lenient.get_absolute_url()
    assert client.get(page).context["report"] is None
    settle(lenient, 1)
    report = client.get(page).context["report"]
    assert 1 <= len(report.sentences) <= 5
    # To look at a page changes nothing.
    reader.refresh_from_db()
    assert (reader.seen_log, client.get(page).context["report"]) == (0, report)
    read = reverse("stables:read_report", args=[lenient.slug, reader.slug])
    assert client.post(read, {"upto": str(report.upto)}).status_code == 302
    assert client.get(page).context["report"] is None
    settle(lenient, 2)
    assert "round 2" in client.get(page).context["report"].heading


def test_the_report_begins_with_the_own_result(lenient: Season, reader: Stable) -> None:
    client = Client()
    client.force_login(reader.owner)
    settle(lenient, 1)
    side = reader.fixture_sides.get()
    rival = side.fixture.sides.exclude(pk=side.pk).get().stable
    sentences = client.get(lenient.get_absolute_url()).context["report"].sentences
    assert rival.name in sentences[0]
    assert ("won" in sentences[0]) == (side.side == "red")
    # The last sentence is what he has for what comes.
    reader.refresh_from_db()
    assert str(reader.capital) in sentences[-1]


def test_a_report_is_for_its_owner_and_never_marks_more_than_there_is(lenient: Season, reader: Stable) -> None:
    settle(lenient, 1)
    stranger, client = Client(), Client()
    stranger.force_login(get_user_model().objects.create_user("stranger", "stranger@example.org", "-"))
    client.force_login(reader.owner)
    assert stranger.get(lenient.get_absolute_url()).context["report"] is None
    assert Client().get(lenient.get_absolute_url()).context["report"] is None
    read = reverse("stables:read_report", args=[lenient.slug, reader.slug])
    assert stranger.post(read, {"upto": "1"}).status_code == 403
    assert client.get(read).status_code == 405
    assert client.post(read, {"upto": "many"}).status_code == 400
    client.post(read, {"upto": str(2**40)})
    reader.refresh_from_db()
    assert reader.seen_log == LogEntry.objects.filter(season=lenient).order_by("-pk")[0].pk
    # What was read stays read.
    client.post(read, {"upto": "1"})
    reader.refresh_from_db()
    assert reader.seen_log > 1


def test_the_close_of_a_cycle_is_part_of_the_report(lenient: Season, reader: Stable) -> None:
    for number in (1, 2, 3):
        settle(lenient, number)
    closing.close_cycle(cycle_id=lenient.cycles.get(number=1).pk)
    client = Client()
    client.force_login(reader.owner)
    sentences = client.get(lenient.get_absolute_url()).context["report"].sentences
    place = lenient.cycles.get(number=1).placings.get(stable=reader)
    assert str(place.purse) in sentences[1]
    assert str(place.place) in sentences[1]
