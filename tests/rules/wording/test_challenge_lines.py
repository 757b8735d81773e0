"""The sentence of each line that any scenario of the Challenge writes into a book."""

from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from rules.challenge.entries import read_entry
from rules.challenge.folding import ChallengeRefused, enter
from rules.challenge.kinds import KINDS
from rules.challenge.scenario.form import read_event
from rules.challenge.state import Event, Line
from rules.challenge.tables import AWARD_TABLES, Tables
from rules.challenge.worth import Worth
from rules.core.refusals import Malformed
from rules.scenario.playing import load
from rules.wording import challenge_words as words
from rules.wording.challenge_lines import AT_SENTENCES, SENTENCES, UNKNOWN, line_sentence
from rules.wording.filling import MISSING
from tests.languages import MadeUp
from tests.rules.board import SCENARIOS

FILES = sorted((SCENARIOS / "challenge").glob("*/*.json"))


@cache
def books() -> list[tuple[Path, Event]]:
    return [(path, played(path)) for path in FILES]


def played(path: Path) -> Event:
    """Return the event as far as the scenario comes; a refusal that it expects stands at its end."""
    document = load(path)
    event = Event()
    with suppress(ChallengeRefused, Malformed):
        event = read_event(document)
        for entry in document.get("entries") or ():
            enter(event, read_entry(entry, KINDS))
    return event


def lines() -> list[tuple[str, Event, Line]]:
    return [(path.name, event, line) for path, event in books() for line in event.lines]


def test_every_line_of_every_scenario_has_its_sentence() -> None:
    for name, event, line in lines():
        said = line_sentence(event, line)
        assert said.endswith("."), (name, said)
        assert not {*"{}", MISSING} & {*said}, (name, line.reason, said)
        assert "_" not in said.replace(line.pilot, "").replace(str(line.why.get("mech")), ""), (name, said)
        assert line.pilot in said, (name, said)


def test_no_line_falls_back_on_its_code() -> None:
    unknown = [line.reason for _, event, line in lines() if line_sentence(event, line, MARKED).startswith("UNKNOWN")]
    assert unknown == []


MARKED = MadeUp(lambda template: "UNKNOWN" if template == UNKNOWN else template)


def test_every_code_with_a_sentence_is_written_somewhere() -> None:
    written = {line.reason for _, _, line in lines()}
    assert set(SENTENCES) - written == set()
    assert set(AT_SENTENCES) - written == set()


def test_every_row_has_a_name_and_no_letter() -> None:
    assert [row for row in Tables.of().rows if words.row_name(row) == row] == []
    assert set(AWARD_TABLES) == set(words.AWARD_TABLES)


@pytest.mark.parametrize(
    ("reason", "why", "said"),
    [
        pytest.param(
            "kills.I",
            {"at": "jo", "difference": 1, "solo": True, "clan": True},
            "ross (7) destroys the 'Mech of jo alone; it is 1 class higher. A Clan 'Mech counts one class higher.",
            id="a kill and its classes",
        ),
        pytest.param(
            "kills.G",
            {"at": "jo", "difference": 0, "solo": True, "chip": True},
            "ross (7) destroys the 'Mech of jo alone; it is of the same class."
            " It is a chip worth 3 Fame, 5 CP and 2,500,000 C-bills.",
            id="a chip and its worth",
        ),
        pytest.param(
            "repair",
            {"mode": "full", "mech": "hunchback", "modifiers": [("devalls", -10), ("repairs_wizard", -20)]},
            "ross (7) has the hunchback repaired: full repair."
            " Modifiers: Devall's Scrapyard −10 % and Repairs Wizard −20 %.",
            id="a repair and its modifiers",
        ),
        pytest.param("given", {"reason": "a bet"}, "The GM gives or takes this for ross (7): a bet.", id="a gift"),
        pytest.param("given", {"reason": ""}, "The GM gives or takes this for ross (7).", id="a gift without reason"),
        pytest.param("fitzhugh", {"on": "pilot_wound"}, "From Fitzhugh, for ross (7): a wound.", id="a stable"),
    ],
)  # fmt: skip
def test_a_sentence_names_its_figures(reason: str, why: dict[str, object], said: str) -> None:
    event = read_event({"game": "challenge", "mechs": {}, "pilots": {"ross": {}, "jo": {}}})
    event.pilots["ross"].card = 7
    assert line_sentence(event, Line(1, "main", 1, "ross", reason, Worth(), why)) == said


def test_a_repayment_to_a_stablemate_names_the_lender() -> None:
    event = read_event({"game": "challenge", "mechs": {}, "pilots": {"ross": {}, "jo": {}}})
    line = Line(1, "main", 1, "ross", "repaid", Worth(), {"lender": "jo"})
    assert line_sentence(event, line) == "ross repays jo, and the stable has its share (MC-STSP-05)."
