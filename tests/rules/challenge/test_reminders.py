"""What the table has to remember."""

import re

from rules.challenge.reminders import REMINDERS, TOPICS, reminders_for


def test_each_rule_to_remember_has_a_topic_and_sentences() -> None:
    for rule, reminder in REMINDERS.items():
        assert re.match(r"^MC-[A-Z]+-\d\d$", rule)
        assert reminder.topic in TOPICS
        assert reminder.sentence.endswith("."), rule


def test_each_topic_has_its_rules() -> None:
    assert sum(len(reminders_for(topic)) for topic in TOPICS) == len(REMINDERS)
    assert list(reminders_for("edge")) == ["MC-EDGE-02", "MC-EDGE-03"]
    assert all(reminders_for(topic) for topic in TOPICS)
