"""The sentences of the refusals of a season's life; part of rules.campaign.wording.refusals."""

from __future__ import annotations

from collections.abc import Mapping


def gettext_noop(message: str) -> str:
    """Mark a template for the translators and return it unchanged."""
    return message


SENTENCES: Mapping[str, str] = {
    "cycle_begun": gettext_noop(
        "Cycle {cycle} has begun, or is over. A whole cycle is skipped before its market closes ({rule})."
    ),
    "cycle_is_closing": gettext_noop("The cycle is being closed. Try again when the next market is open."),
    "deadline_too_far": gettext_noop("A deadline can be moved {days} days ahead at most."),
    "deadline_not_ahead": gettext_noop("A deadline can be moved to a time that lies ahead, not to {date}."),
    "invitation_needed": gettext_noop(
        "This season takes stables by invitation. Ask its organiser for a link or a code."
    ),
    "invitation_revoked": gettext_noop("This invitation was taken back. Ask the organiser for another one."),
    "invitation_used_up": gettext_noop(
        "This invitation was used as often as it may be. Ask the organiser for another."
    ),
    "no_cycle_to_come": gettext_noop("No cycle is to come, so settings cannot change any more."),
    "no_deadline": gettext_noop("There is no such deadline now that could be moved."),
    "nobody_to_pair": gettext_noop(
        "Nobody can be paired now: it takes two stables of which each has played its matches so far."
    ),
    "not_paused": gettext_noop("The season is not paused."),
    "not_sure": gettext_noop("The season has begun. Confirm that it should be cancelled for good."),
    "not_sure_to_leave": gettext_noop(
        "Confirm that your stable should leave the season for good: its open matches become forfeits (Q-159)."
    ),
    "nothing_announced": gettext_noop("No change of settings is announced."),
    "paused_already": gettext_noop("The season is paused already."),
    "role_taken": gettext_noop("{name} organises this season or has a role in it already. Take that back first."),
    "season_is_over": gettext_noop("The season is “{state}”; there is nothing left to cancel."),
    "season_not_running": gettext_noop("The season is “{state}”; this is for a season that is under way."),
    "setting_fixed": gettext_noop("The setting {setting} stays as it is in this season."),
    "settings_unchanged": gettext_noop("These settings hold, or are announced, already."),
    "stable_has_left": gettext_noop("{name} has left the season."),
    "takes_no_part": gettext_noop("The stable takes no part in cycle {cycle} (R-CYC-11)."),
    "unknown_cycle": gettext_noop("The season has no cycle {cycle}."),
    "unknown_invitation": gettext_noop(
        "There is no invitation with this code. Codes tell small letters from capitals; copy the whole of it."
    ),
    "unknown_person": gettext_noop("There is no account called {name}."),
}
"""Code -> template with {name} placeholders."""
