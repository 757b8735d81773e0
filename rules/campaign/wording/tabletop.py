"""The sentences for refused or doubtful counts of a match at a table."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop

SENTENCES: Mapping[str, str] = {
    "table_batch_too_large": gettext_noop("That was too much at once; a phone sends at most {most} marks at a time."),
    "table_full": gettext_noop("This side has made {most} marks in this match, and no more are kept."),
    "table_kill_of_nobody": gettext_noop(
        "{of} is eliminated and nobody counts the kill. That is right if its own side destroyed it (Q-65)."
    ),
    "table_kill_of_standing": gettext_noop("{unit} counts the kill of {of}, but its own side still counts it in play."),
    "table_kill_twice": gettext_noop("More than one unit counts the kill of {of}; it is one unit’s."),
    "table_mark_not_yours": gettext_noop("A side counts for its own units only, on a phone of its own."),
    "table_mark_unfit": gettext_noop("This match has nothing that could be counted like this: {kind}."),
    "table_mark_unknown": gettext_noop("There is no mark of the kind “{kind}”."),
    "table_no_pin": gettext_noop(
        "{name} has no PIN for this match. Its owner makes one at the table page, on a phone of their own."
    ),
    "table_pin_locked": gettext_noop(
        "The PIN of {name} was wrong five times, so it confirms nothing any more. An organiser or a referee resets it."
    ),
    "table_uid_taken": gettext_noop("Another mark has this id already. Reload the page."),
    "table_winner_open": gettext_noop("The sides are even in everything that was counted: say who won."),
    "table_wrong_password": gettext_noop("This is not the password of {name}."),
    "table_wrong_pin": gettext_noop("This is not the PIN of {name} for this match. Tries left: {left}."),
}
"""Code -> template with {name} placeholders."""
