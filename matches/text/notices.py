"""The notices of matches, on a person's own page and by mail."""

from collections.abc import Mapping, Sequence

from matches.text.match import word
from people.text import notices
from rules.core.messages import gettext_noop
from web.moments import worded_moment

SENTENCES: Mapping[str, str] = {
    "your_turn": gettext_noop(
        "{match} waits for you: it is your turn, and you have time until {due}. {format}. Arena: {arena}."
    ),
    "time_ran_out": gettext_noop(
        "{match}: your time ran out, and the AI answers for you until the round of the match is over. "
        "Open the match to take over again."
    ),
    "rematch": gettext_noop("“{person}” asks for a rematch of {match}. The seat is yours: open the match and take it."),
    "nod": gettext_noop("“{person}” says “well played” after {match}."),
    "write_up_taken_down": gettext_noop("Your write-up of {match} was taken down. The reason given is: “{reason}”."),
}
"""Code -> template; its placeholders are the parameters that the notice must bring."""

SHORTER: Mapping[str, Sequence[str]] = {
    "your_turn": (
        gettext_noop("{match} waits for you: it is your turn. {format}. Arena: {arena}."),
        gettext_noop("{match} waits for you: it is your turn."),
    ),
}
"""Code -> further templates, for a match without a time limit, and for what earlier versions wrote."""


def register() -> None:
    """Register these notices, and those that people may get by mail at once."""
    notices.register(
        SENTENCES,
        room="matches",
        at_once={"your_turn": ["your_turn"]},
        shorter=SHORTER,
        words={"due": worded_moment, "format": lambda key: word(str(key))},
        topics={"matches": ["your_turn", "time_ran_out", "rematch", "nod"]},
        asks={"your_turn": "due"},
    )
