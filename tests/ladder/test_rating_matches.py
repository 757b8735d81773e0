"""A match is rated once after its end, in order, if it counts; and the figures are those of the matches alone."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command

from jobs.models import Job
from jobs.services import enqueue, run_pending
from ladder.models import LadderPlayer, RatedMatch
from ladder.services import rate_match, rebuild
from matches.host import MatchPermissions
from matches.models import Match, MatchAction, MatchSeat
from matches.services.answering import Seat
from matches.services.matches import create_match, play_action, reseat, resolve_with_bots
from people.models import User
from rules import RULES_VERSION
from rules.measuring.ratings import BEGINNER, rate
from tests.ladder.conftest import Finish
from tests.matches.hosts import Host

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def figures() -> dict[str, tuple[float, float, int]]:
    return {
        str(row.user.username if row.user else f"{row.bot} {row.rules_version}"): (row.mean, row.deviation, row.matches)
        for row in LadderPlayer.objects.select_related("user")
    }


def rated() -> list[int]:
    return list(RatedMatch.objects.order_by("number").values_list("match", flat=True))


# What counts ----------------------------------------------------------------------------------------------------------


def test_the_end_of_a_match_is_rated_by_a_job(finish: Finish, people: dict[str, User]) -> None:
    match = finish(people["anna"], "greedy")
    assert not LadderPlayer.objects.exists()
    run_pending()
    assert rated() == [match.pk]
    winner, loser = rate([BEGINNER, BEGINNER], [1, 2])
    # Sides are folded in the order of their names: blue, the bot, goes before red.
    second, first = rate([BEGINNER, BEGINNER], [2, 1])
    assert (first.mean, second.mean) == pytest.approx((winner.mean, loser.mean))
    assert figures() == {"anna": (*first, 1), f"greedy {RULES_VERSION}": (*second, 1)}


def test_a_match_that_is_really_played_to_its_end_is_rated(setup_document: dict[str, Any]) -> None:
    seats = [Seat("red", bot="random"), Seat("blue", bot="greedy")]
    match = create_match(setup_document, b"a seed of 32 bytes, for ladders.", None, seats)
    resolve_with_bots(match.pk, {"red": "random", "blue": "greedy"})
    run_pending()
    assert rated() == [match.pk]
    assert set(figures()) == {f"random {RULES_VERSION}", f"greedy {RULES_VERSION}"}


@pytest.fixture
def setup_document() -> dict[str, Any]:
    from matches.services.beginning.demonstration import demonstration_setup

    return demonstration_setup()


def test_the_ai_against_itself_asks_for_nothing(finish: Finish) -> None:
    finish("greedy", "greedy")
    finish("greedy", "greedy", "greedy", "greedy")
    assert not Job.objects.filter(name="ladder.rate").exists()


def test_places_count_in_matches_of_many_sides(finish: Finish, people: dict[str, User]) -> None:
    finish(people["carla"], "greedy", people["anna"], people["ben"])
    run_pending()
    means = {name: mean for name, (mean, _, _) in figures().items()}
    assert sorted(means, key=means.__getitem__, reverse=True) == ["carla", f"greedy {RULES_VERSION}", "anna", "ben"]


def test_a_die_makes_nobody_better(finish: Finish, people: dict[str, User]) -> None:
    finish(people["anna"], people["ben"], tie_break="die")
    run_pending()
    assert [mean for mean, _, _ in figures().values()] == pytest.approx([1500, 1500])


@pytest.mark.parametrize(
    "players",
    [
        ("anna", None),
        ("anna", "anna"),
        ("anna", "ben", "anna", "greedy"),
        ("anna", "greedy", "greedy", "random"),
    ],
    ids=["a seat that nobody took", "one person at one screen", "two sides of a person", "two sides of a bot"],
)
def test_what_does_not_tell_who_is_better_does_not_count(
    finish: Finish, people: dict[str, User], players: tuple[str | None, ...]
) -> None:
    match = finish(*(people.get(str(player), player) for player in players))
    run_pending()
    assert rate_match(match.pk) is None
    assert figures() == {}


def test_a_seat_that_changed_hands_in_the_middle_does_not_count(
    finish: Finish, people: dict[str, User], setup_document: dict[str, Any]
) -> None:
    """Whoever sat down before a decision of the side has played it all; who sat down after one has not."""
    for taken_at, counts in ((0, True), (3, True), (7, False)):
        match = finish(people["anna"], people["ben"])
        MatchSeat.objects.filter(match=match, side="blue").update(taken_at=taken_at)
        for sequence, side, cause in ((1, "red", ""), (3, "blue", "only"), (5, "blue", "")):
            MatchAction.objects.create(match=match, sequence=sequence, side=side, events=[], cause=cause)
        assert (rate_match(match.pk) is not None) is counts, taken_at


@pytest.mark.parametrize(
    ("side", "cause", "counts"),
    [
        ("blue", "relieved", False),
        ("blue", "withdrawn", False),
        ("blue", "failed", True),
        ("blue", "only", True),
        ("red", "relieved", True),
    ],
    ids=["another bot", "default answers", "its own failure", "no failure", "who let the AI finish"],
)
def test_a_bot_is_not_rated_for_what_another_played_in_its_place(
    finish: Finish, people: dict[str, User], side: str, cause: str, counts: bool
) -> None:
    match = finish(people["anna"], "strong")
    MatchAction.objects.create(match=match, sequence=4, side=side, events=[], cause=cause)
    assert (rate_match(match.pk) is not None) is counts


def test_a_new_holder_of_a_seat_is_noted_with_the_step(setup_document: dict[str, Any], people: dict[str, User]) -> None:
    seats = [Seat("red", people["anna"].pk), Seat("blue", people["ben"].pk)]
    match = create_match(setup_document, b"a seed of 32 bytes, for ladders.", None, seats)
    assert set(match.seats.values_list("taken_at", flat=True)) == {0}
    from matches.selectors.matches import rebuild as engine_of

    engine = engine_of(match)
    assert engine.decision is not None
    play_action(match.pk, engine.decision.side, match.last_sequence, next(iter(engine.legal_actions())))
    match.refresh_from_db()
    assert reseat(match.pk, [Seat("red", people["anna"].pk), Seat("blue", bot="greedy")])
    taken = dict(match.seats.values_list("side", "taken_at"))
    assert taken == {"red": 0, "blue": match.last_sequence}
    assert match.last_sequence > 0


def test_only_what_everybody_may_find_counts(
    finish: Finish, people: dict[str, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def closed(subject: str, user: Any) -> MatchPermissions | None:
        asked.append(user.is_authenticated)
        return MatchPermissions(is_open=False) if subject == "season:1:closed" else None

    Host(permissions=closed).instead(monkeypatch)
    finish(people["anna"], people["ben"], fixture_key="season:1:closed")
    shown = finish(people["anna"], people["ben"], fixture_key="season:1:open")
    run_pending()
    assert rated() == [shown.pk]
    assert asked == [False, False], "it is asked for a stranger, whoever plays"


# Once, in order, and from the matches alone ---------------------------------------------------------------------------


def test_a_match_is_rated_once_whoever_asks_how_often(finish: Finish, people: dict[str, User]) -> None:
    match = finish(people["anna"], people["ben"])
    run_pending()
    before = figures()
    for _ in range(2):
        enqueue("ladder.rate", {"match": match.pk})
    run_pending()
    assert rate_match(match.pk) == 1
    assert figures() == before


def history(finish: Finish, people: dict[str, User]) -> None:
    anna, ben, carla = people.values()
    finish(anna, ben)
    finish(ben, "greedy")
    finish(carla, anna, "greedy", ben)
    finish(anna, "random", rules_version="0.9")
    finish("greedy", "random")
    finish(ben, carla, tie_break="die")


def test_rebuilding_gives_the_same_figures_to_the_last_digit(finish: Finish, people: dict[str, User]) -> None:
    history(finish, people)
    run_pending()
    stored = figures()
    assert f"greedy {RULES_VERSION}" in stored
    assert "random 0.9" in stored
    assert rebuild() == []
    LadderPlayer.objects.all().delete()
    assert {str(difference.player.user_id or difference.player.bot) for difference in rebuild()} >= {"greedy", "random"}
    assert figures() == stored


def test_the_order_is_that_of_rating_not_of_ending(finish: Finish, people: dict[str, User]) -> None:
    """Two matches that end at the same time may be rated either way round; what was done stays done."""
    first = finish(people["anna"], people["ben"])
    second = finish(people["ben"], people["carla"])
    rate_match(second.pk)
    rate_match(first.pk)
    assert rated() == [second.pk, first.pk]
    assert rebuild(is_trial=True) == []
    stored = figures()
    newest = LadderPlayer.objects.get(user=people["ben"]).last_match_at
    assert newest == second.finished_at
    LadderPlayer.objects.all().delete()
    rebuild()
    assert figures() == stored


def test_the_command_compares_and_mends(finish: Finish, people: dict[str, User]) -> None:
    history(finish, people)
    run_pending()
    stored = figures()
    LadderPlayer.objects.filter(user=people["anna"]).update(mean=9000)
    LadderPlayer.objects.filter(user=people["ben"]).delete()
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("rebuild_ladder", "--check", stdout=out)
    assert ended.value.code == 1
    lines = out.getvalue().splitlines()
    assert len(lines) == 3
    assert "stored 9000.0" in lines[0]
    assert "stored nothing" in lines[1]
    assert lines[2] == "6 rated matches of 5 players checked: 2 differences"
    assert figures() != stored
    call_command("rebuild_ladder", stdout=io.StringIO())
    assert figures() == stored
    out = io.StringIO()
    call_command("rebuild_ladder", "--check", stdout=out)
    assert out.getvalue() == "6 rated matches of 6 players checked: 0 differences\n"


def test_whoever_left_changes_nobody_elses_rating(finish: Finish, people: dict[str, User]) -> None:
    from people.services.leaving import leave

    people["anna"].set_password("secret words")
    people["anna"].save()
    history(finish, people)
    run_pending()
    stored = figures()
    leave(people["anna"], "secret words")
    assert rebuild() == []
    assert {name: row for name, row in figures().items() if name in stored} == {
        name: row for name, row in stored.items() if name != "anna"
    }


def test_rating_costs_the_same_after_many_matches(
    finish: Finish, people: dict[str, User], django_assert_max_num_queries: Any
) -> None:
    history(finish, people)
    run_pending()
    match = finish(people["anna"], people["ben"])
    with django_assert_max_num_queries(16):
        rate_match(match.pk)
    assert Match.objects.count() == 7
