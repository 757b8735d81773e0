"""A table that was imagined is imagined again, as a reply in thought does: what was played in it has become a fact."""

import random

import pytest

from rules.competition.match import Match
from rules.competition.observation import imagined
from rules.competition.state.match_state import MatchState
from rules.competition.units.rally import PLAY_RALLY, problems_of
from rules.core.dice import SeededDice
from rules.solaris.cards import RallyCardDefinition
from tests.rules.board import Dropped, duel, placed, unit
from tests.rules.dealing import card, dealt

OWN, OTHER = 0, 1
"""Red's unit a and blue's unit b, the sides and the players alike, in `met`."""

HAND = 4


def met() -> MatchState:
    """Two worn units, a before b in the move phase; b's player holds four cards that a's player cannot see."""
    hand = [card(f"secret-{number}") for number in range(HAND)]
    weak = unit(clicks=6, click={"attack": 5})
    units = [placed("a", "red", "0613", 0, clicks=1), placed("b", "blue", "0601", 6, weak, clicks=1)]
    start = {"round": 1, "phase": "move", "order": ["a", "b"]}
    table = Dropped(duel(units=units, hands={"blue": {"b": hand}}, start=start), 1).match.table
    assert table.open is not None
    assert table.open[1] == OWN
    return table


def hand_of(table: MatchState, player: int = OTHER) -> dict[str, RallyCardDefinition]:
    return dict(table.roster.hands[player])


def pass_on(table: MatchState, unit: int) -> None:
    """Answer by default until the unit is asked."""
    while table.open is not None and table.open[1] != unit:
        kind, asked, data = table.open
        table.answer(kind.default(table, asked, data))
    assert table.open is not None


def with_one_played(number: int) -> tuple[MatchState, str]:
    """A table that a's player imagined, on which b has played one of the dealt cards, when a is asked again."""
    table = imagined(met(), random.Random(number))
    pass_on(table, OTHER)
    assert table.open is not None
    assert table.open[0] is PLAY_RALLY
    key = list(hand_of(table))[number % HAND]
    table.answer((key,))
    pass_on(table, OWN)
    return table, key


@pytest.mark.parametrize("number", range(8))
def test_q_153_a_dealt_card_that_was_played_stays_what_it_is(number: int) -> None:
    """Its name, its text and what it does; the other cards are hidden and dealt anew, as many as there were."""
    once, key = with_one_played(number)
    before = hand_of(once)
    again = imagined(once, random.Random(f"again/{number}"))
    now = hand_of(again)
    assert len(before) == len(now) == HAND
    assert now[key] == before[key]
    assert once.position.rallies == again.position.rallies != ()
    assert again.texts(OTHER) == once.texts(OTHER)
    assert [refusal.code for refusal in problems_of(again, OTHER, key)][:1] == ["card_played_before"]  # R-RAL-07
    assert not {id(held) for name, held in now.items() if name != key} & {id(held) for held in before.values()}
    assert all(name == held.key for name, held in now.items())


def test_q_153_what_is_still_hidden_is_not_what_was_dealt_before() -> None:
    once, key = with_one_played(1)
    dealt_before = sorted(held.effect for name, held in hand_of(once).items() if name != key)
    tables = [imagined(once, random.Random(number)) for number in range(12)]
    hands = [sorted(held.effect for name, held in hand_of(table).items() if name != key) for table in tables]
    assert any(hand != dealt_before for hand in hands)
    assert len({tuple(hand) for hand in hands}) > 6


def test_q_153_an_observation_of_the_imagined_table_opens_the_played_card_alone() -> None:
    once, key = with_one_played(2)
    observation = Match.of_table(once).observe("red")
    assert observation.hidden_cards == (0, HAND - 1)
    assert hand_of(observation._table) == {key: hand_of(once)[key]}


def test_who_played_it_knows_the_whole_hand() -> None:
    once, _ = with_one_played(3)
    pass_on(once, OTHER)
    assert hand_of(imagined(once, random.Random(4))) == hand_of(once)


@pytest.mark.parametrize(("number", "shared"), [(1, False), (2, False), (3, True)])
def test_r_ral_01_r_ral_07_a_match_played_on_through_imagined_tables_keeps_all_hands_whole(
    number: int, shared: bool
) -> None:
    """At every decision the table is imagined anew and played on by chance, as thoughts within thoughts would: hands
    keep their size, what was played its text, one's own hand everything (Q-168: a partner's too), and no card is played
    twice."""
    table = Match.start(dealt(number, 2, 4, shared=shared), SeededDice(number)).table
    rng, played_in_thought = random.Random(number), 0
    sizes = [len(hand) for hand in table.roster.hands]
    while table.open is not None:
        own, before, played = table.roster.side_of[table.open[1]], table.roster.hands, _played(table)
        texts = [table.texts(each) for each in table.roster.units]
        table = imagined(table, rng)
        assert [len(hand) for hand in table.roster.hands] == sizes
        for player, (side, _) in enumerate(table.roster.setup.owners):
            kept = before[player] if side == own else {name for who, name in played if who == player}
            assert all(table.roster.hands[player][name] == before[player][name] for name in kept)
        assert [table.texts(each) for each in table.roster.units] == texts
        assert len(played) == len(table.position.rallies)
        played_in_thought = sum(name.startswith("possible") for _, name in played)
        assert table.open is not None
        kind, asked, data = table.open
        offered = kind.options(table, asked, data) if kind is PLAY_RALLY else []
        table.answer(offered[-1] if offered else kind.sample(table, asked, data, rng))
    assert played_in_thought >= 4


def _played(table: MatchState) -> set[tuple[int, str]]:
    """The cards that were played, each with the number of its player."""
    return {(table.roster.owner_of[unit], name) for _, unit, name, _ in table.position.rallies}
