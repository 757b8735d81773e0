"""The notices of markets, baskets and the word "ready"."""

from collections.abc import Mapping, Sequence

from rules.core.messages import gettext_noop

OF_MARKETS: Mapping[str, str] = {
    "market_open": gettext_noop("The market of cycle {cycle} of {season} is open until {due}."),
    "ready_ended": gettext_noop(
        "Your stable {stable} is not ready any more for cycle {cycle} of {season}: it lacks a crew for its match. "
        "The market is open until {due}. Buy, repair, then say that you are ready."
    ),
    "basket_filled": gettext_noop(
        "Your basket for cycle {cycle} of {season} was bought: {bought}. Not bought: {not_bought}."
    ),
    "basket_not_sealed": gettext_noop(
        "Your basket for cycle {cycle} of {season} was not sealed when the market closed, so nothing of it was bought."
    ),
    "reminder_market": gettext_noop(
        "The organisers of {season} remind you: the market of cycle {cycle}, open until {due}, waits for you. Buy, "
        "repair, then say that you are ready."
    ),
}

SHORTER_OF_MARKETS: Mapping[str, Sequence[str]] = {
    "market_open": (gettext_noop("The market of cycle {cycle} of {season} is open."),),
    "ready_ended": (
        gettext_noop(
            "Your stable {stable} is not ready any more for cycle {cycle} of {season}: it lacks a crew for its match. "
            "Buy, repair, then say that you are ready."
        ),
    ),
    "reminder_market": (
        gettext_noop(
            "The organisers of {season} remind you: the market of cycle {cycle} waits for you. Buy, repair, then say "
            "that you are ready."
        ),
        gettext_noop(
            "The organisers of {season} remind you: the market waits for you. Buy, repair, then say that you are ready."
        ),
    ),
}
"""Code -> further templates, for what has no deadline or comes from an earlier version."""
