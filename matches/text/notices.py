"""The notices of matches, on a person's own page and by mail."""

from collections.abc import Mapping

from people.text import notices
from rules.wording.filling import gettext_noop

SENTENCES: Mapping[str, str] = {
    "your_turn": gettext_noop("{match} waits for you: it is your turn."),
    "time_ran_out": gettext_noop(
        "{match}: your time ran out, and the AI answers for you until the round of the match is over. "
        "Open the match to take over again."
    ),
    "write_up_taken_down": gettext_noop("Your write-up of {match} was taken down. The reason given is: “{reason}”."),
}
"""Code -> template; its placeholders are the parameters that the notice must bring."""


def register() -> None:
    """Register these notices, and those that people may get by mail at once."""
    notices.register(SENTENCES, at_once={"your_turn": ["your_turn"]}, topics={"matches": ["your_turn", "time_ran_out"]})
