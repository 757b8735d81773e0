"""The states of seasons, cycles, rounds, fixtures and proposals, and how a match is played, as people read them.

Each table has a context of its own: in other languages “settled” of a match is another word than “settled” of a round.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop, pgettext_noop

SEASONS: Mapping[str, str] = {
    "draft": pgettext_noop("season", "draft"),
    "recruiting": pgettext_noop("season", "recruiting"),
    "running": pgettext_noop("season", "running"),
    "sudden_death": pgettext_noop("season", "deciding the titles"),
    "provisional": pgettext_noop("season", "open to corrections"),
    "finished": pgettext_noop("season", "finished"),
    "cancelled": pgettext_noop("season", "cancelled"),
}

CYCLES: Mapping[str, str] = {
    "market": pgettext_noop("cycle", "market"),
    "rounds": pgettext_noop("cycle", "rounds"),
    "closing": pgettext_noop("cycle", "closing"),
    "closed": pgettext_noop("cycle", "closed"),
}

ROUNDS: Mapping[str, str] = {
    "paired": pgettext_noop("round", "line-ups are called"),
    "playing": pgettext_noop("round", "being played"),
    "settled": pgettext_noop("round", "settled"),
}

FIXTURES: Mapping[str, str] = {
    "line_ups": pgettext_noop("match", "line-ups are called"),
    "sealed": pgettext_noop("match", "line-ups are sealed"),
    "settled": pgettext_noop("match", "settled"),
}

PROPOSALS: Mapping[str, str] = {
    "open": pgettext_noop("proposal", "open"),
    "accepted": pgettext_noop("proposal", "accepted"),
    "declined": pgettext_noop("proposal", "declined"),
    "withdrawn": pgettext_noop("proposal", "withdrawn"),
}

MODES: Mapping[str, str] = {
    "ai": gettext_noop("the AI plays for both"),
    "browser": gettext_noop("in the browser"),
    "table": gettext_noop("at a table"),
}

STATES_OF: Mapping[str, Mapping[str, str]] = {
    "line_up_too_early": FIXTURES,
    "report_too_early": FIXTURES,
    "proposal_closed": PROPOSALS,
}
"""The table that words `state` in a refusal, by its code; all other codes of this room speak of a season."""
