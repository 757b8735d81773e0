"""What the table has to remember."""

import pytest

from rules.challenge.reminders import REMINDERS, TOPICS, reminders_for

KEPT_AT_THE_TABLE = [
    "MC-GEN-04", "MC-GEN-06", "MC-GEN-08", "MC-GEN-09", "MC-AREA-01", "MC-AREA-02",
    "MC-AREA-03", "MC-AREA-04", "MC-AREA-05", "MC-SURP-01", "MC-TUR-01", "MC-TUR-02",
    "MC-TUR-03", "MC-MINE-01", "MC-REBAR-01", "MC-TANK-02", "MC-ABIL-16", "MC-ABIL-19",
    "MC-EDGE-02", "MC-EDGE-03", "MC-STSP-03", "MC-STSP-08", "MC-ADVST-03", "MC-CUST-09",
    "MC-STAB-12", "MC-BOARD-01", "MC-BOARD-02", "MC-BOARD-03", "MC-BOARD-06", "MC-BOARD-07",
    "MC-BOARD-05", "MC-AWD-05", "MC-EVT-08", "MC-EXIT-04", "MC-EXIT-05", "MC-EXIT-06",
    "MC-EXIT-07", "MC-EXIT-08", "MC-EXIT-09", "MC-TEAM-08", "MC-TEAM-09",
]  # fmt: skip


@pytest.mark.parametrize("rule", KEPT_AT_THE_TABLE)
def test_a_rule_that_people_keep_has_a_sentence_where_it_comes_up(rule: str) -> None:
    reminder = REMINDERS[rule]
    assert reminder.sentence.endswith(".")
    assert reminders_for(reminder.topic)[rule] == reminder.sentence


def test_no_other_rule_has_one_and_each_topic_has_some() -> None:
    assert list(REMINDERS) == KEPT_AT_THE_TABLE
    assert {reminder.topic for reminder in REMINDERS.values()} == set(TOPICS)
