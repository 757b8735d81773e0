"""The sentences of refusals about titles, identities and seasons that follow each other."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop

SENTENCES: Mapping[str, str] = {
    "cannot_fight": gettext_noop(
        "{name} cannot fight this sudden death. It takes a living pilot of the stable, or a unit without one, that is "
        "tied itself or still on the tied stable's list (R-SUD-05, Q-164, Q-169)."
    ),
    "identity_name_taken": gettext_noop("You have a stable called {name} already. Choose another name."),
    "no_sudden_death": gettext_noop("No sudden death waits here: the titles are decided, or nobody is tied for them."),
    "replays_not_yet": gettext_noop(
        "The season is “{state}”. Its replays come in one file when it is finished; each match has its own as soon as "
        "it is over."
    ),
    "season_not_over": gettext_noop(
        "This season is “{state}”. A new one can follow it once its titles are decided or it is cancelled."
    ),
    "season_not_to_close": gettext_noop(
        "The season is “{state}”. It can be closed once its last result is in and its titles are decided."
    ),
    "sudden_death_begun": gettext_noop("It is settled who fights this sudden death; it cannot be changed any more."),
    "sudden_death_has_date": gettext_noop("This sudden death has its last date already, {date}. Wait for it."),
    "unknown_emblem": gettext_noop("There is no emblem called {emblem}."),
    "unknown_identity": gettext_noop("You have no such stable to take up again."),
    "colour_malformed": gettext_noop("{colour} is not a colour. Write it as # and six hexadecimal digits."),
}
"""Code -> template with {name} placeholders."""
