"""Setups spoilt at random: a coded refusal, or a match that plays."""

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.core.dice import SeededDice
from rules.core.refusals import Malformed
from rules.measuring.self_play import random_setup
from tests.rules.board import Json
from tests.rules.competition.state.test_malformed_setups import assert_can_be_said
from tests.rules.spoiling import spoil

# --- anything at all ----------------------------------------------------------------------------------------------

FORMATS = ("standard", "team", "tag_team", "capture_the_flag", "weapons_dead", "grand_melee")
MUTATED_SETUPS, RANDOM_ACTIONS = 120, 30


def full_setup(rng: random.Random) -> Json:
    """A setup of catalogue units with pilots, gear, hands and tokens in any format, as JSON."""
    catalogue = load_builtin()
    document: Json = random_setup(catalogue, rng, rng.choice(FORMATS), 2).to_json()
    for side in document["sides"]:
        for entry in side["units"]:
            fitting = [card for card in catalogue.gear.values() if entry["unit"]["class"] in card["requires"]["class"]]
            card = rng.choice(fitting)
            entry["gear"] = [{**card, "side": "primary"} if card["slot"] == "either" else card]
        side["units"][0]["hand"] = rng.sample(list(catalogue.rally_cards.values()), 5)
    made: Json = json.loads(json.dumps(document))
    return made


@given(seed=st.integers(0, 2**32), faults=st.integers(0, 3))
@settings(max_examples=MUTATED_SETUPS)
def test_a_spoilt_setup_is_refused_with_a_code_or_plays(seed: int, faults: int) -> None:
    """Thirty random actions are enough to place the units, roll initiative and move; no exception but a refusal."""
    rng = random.Random(seed)
    document = full_setup(rng)
    for _ in range(faults):
        spoil(document, rng)
    before = repr(document)
    refused = None
    try:
        match = Match.start(read_setup(document), SeededDice(seed))
    except Malformed as found:
        refused = found
    else:
        for _ in range(RANDOM_ACTIONS):
            if match.decision is not None:
                match.play(match.sample_action(rng))
        json.dumps([match.events, match.snapshot(), match.setup.to_json()])
    assert repr(document) == before
    if refused is not None:
        assert faults, refused
        json.dumps(refused.parameters)
        assert_can_be_said(refused)
