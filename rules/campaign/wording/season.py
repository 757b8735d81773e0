"""The sentences of the refusals of a season's life; part of rules.campaign.wording.refusals."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop

SENTENCES: Mapping[str, str] = {
    "cycle_begun": gettext_noop(
        "Cycle {cycle} has begun, or is over. A whole cycle is skipped before its market closes ({rule})."
    ),
    "cycle_is_closing": gettext_noop("The cycle is being closed. Try again when the next market is open."),
    "deadline_too_far": gettext_noop("A deadline can be moved {days} days ahead at most."),
    "deadline_not_ahead": gettext_noop("A deadline can be moved to a time that lies ahead, not to {date}."),
    "deadline_on_day_off": gettext_noop(
        "{day} is a day off of this season. Choose another day, or take it out of the days off in the calendar first."
    ),
    "invitation_needed": gettext_noop(
        "This season takes stables by invitation. Ask its organiser for a link or a code."
    ),
    "invitation_of_removed": gettext_noop(
        "An organiser removed your stable after this invitation was made. To come back you need a new one from them."
    ),
    "invitation_revoked": gettext_noop("This invitation was taken back. Ask the organiser for another one."),
    "invitation_used_up": gettext_noop(
        "This invitation was used as often as it may be. Ask the organiser for another."
    ),
    "no_cycle_to_come": gettext_noop("No cycle is to come, so settings cannot change any more."),
    "no_deadline": gettext_noop("There is no such deadline now that could be moved."),
    "no_market_deadline": gettext_noop(
        "This market has no deadline that could be put off: it is open until every stable is ready or you start the "
        "cycle."
    ),
    "nobody_to_pair": gettext_noop(
        "Nobody can be paired now: it takes two stables of which each has played its matches so far."
    ),
    "not_paused": gettext_noop("The season is not paused."),
    "not_sure": gettext_noop("The season has begun. Confirm that it should be cancelled for good."),
    "not_sure_to_leave": gettext_noop(
        "Confirm that your stable should leave the season for good: its open matches become forfeits (Q-159)."
    ),
    "nothing_announced": gettext_noop("No change of settings is announced."),
    "page_changed": gettext_noop(
        "Somebody else has changed the page meanwhile. Below is your text, and the page as it is now. Save once more "
        "to replace it."
    ),
    "page_too_long": gettext_noop("The page has {length} characters; {longest} are the most."),
    "nothing_asked": gettext_noop("The organisers do not ask now who comes, or the evening has begun."),
    "paused_already": gettext_noop("The season is paused already."),
    "role_taken": gettext_noop("{name} organises this season or has a role in it already. Take that back first."),
    "season_is_over": gettext_noop("The season is “{state}”; there is nothing left to cancel."),
    "guest_may_not": gettext_noop("This needs an account. What you play as a guest can go with you to it."),
    "seat_has_owner": gettext_noop(
        "{name} belongs to an account. A link for a guest is for a stable of the AI, or of a guest."
    ),
    "stand_in_is_ai": gettext_noop("The AI stands in for {name} in this match already, since its rival chose that."),
    "stand_in_plays": gettext_noop(
        "{name} has a part in this match, or in the season, and cannot play for two stables."
    ),
    "stand_in_without_match": gettext_noop("This match of {name} is over, or not its own."),
    "too_many_guests": gettext_noop("A season has at most {most} guests and open links for guests."),
    "link_expired": gettext_noop("This link has expired. Ask an organiser of the season for another one."),
    "link_revoked": gettext_noop("This link was taken back. Ask an organiser of the season for another one."),
    "link_used": gettext_noop("This link was used already; a link passes a stable on once."),
    "message_missing": gettext_noop("Write a message of 1 to {longest} characters."),
    "name_unchanged": gettext_noop("The season has this name already."),
    "nobody_to_stand_in_for": gettext_noop("The AI runs {name} already."),
    "nobody_chosen": gettext_noop("Choose at least one stable."),
    "no_match_to_prepare": gettext_noop(
        "{name} has no match yet to prepare for: its market is open. You can put the market off for all."
    ),
    "nothing_to_field": gettext_noop(
        "{name} can field nobody. Give its match more time, or declare a forfeit on the match’s page."
    ),
    "no_repair_needed": gettext_noop(
        "Nothing of {name} has to be repaired for its match, or half of its Stones do not pay for it."
    ),
    "stable_not_awaited": gettext_noop("The season does not wait for {name} now."),
    "nobody_to_write_to": gettext_noop("Nobody has joined this season yet, so a message would reach nobody."),
    "nobody_waits": gettext_noop("This person does not wait for a place any more."),
    "not_handed_over": gettext_noop("{name} is not handed over to the AI."),
    "organiser_takes_part": gettext_noop(
        "You play in this season, or would from now on, so another organiser decides about this stable. "
        "A season’s console names its organisers."
    ),
    "place_is_free": gettext_noop("There is a place for you; nobody has to wait. Found a stable."),
    "place_is_kept": gettext_noop("The free place is kept for the people on the waiting list. Put yourself on it."),
    "season_not_renamed": gettext_noop("This season is “{state}”; it can be renamed until it begins."),
    "season_not_running": gettext_noop("The season is “{state}”; this is for a season that is under way."),
    "setting_fixed": gettext_noop("The setting {setting} stays as it is in this season."),
    "settings_unchanged": gettext_noop("These settings hold, or are announced, already."),
    "stable_has_left": gettext_noop("{name} has left the season."),
    "stables_unprepared": gettext_noop(
        "Not every stable is prepared. These have nobody for the coming match: {without_crew}. These have a basket "
        "that is not sealed and would not be bought: {unsealed}. Start all the same, or wait for them."
    ),
    "stable_goes_for_good": gettext_noop("{name} would go for good. Tick that you are sure."),
    "stable_passed_on": gettext_noop(
        "{name} has another owner now, so you cannot act for it any more. What you did stays in the books."
    ),
    "stable_removed": gettext_noop("An organiser removed {name} before the season began. A notice to you says why."),
    "stable_stays": gettext_noop(
        "The season is “{state}”, so {name} cannot be removed any more. It can be withdrawn or passed on."
    ),
    "taker_has_stable": gettext_noop("{name} owns a stable in this season already: {stable}."),
    "takes_no_part": gettext_noop("The stable takes no part in cycle {cycle} (R-CYC-11)."),
    "unknown_cycle": gettext_noop("The season has no cycle {cycle}."),
    "unknown_invitation": gettext_noop(
        "There is no invitation with this code. Codes tell small letters from capitals; copy the whole of it."
    ),
    "too_many_links": gettext_noop("This stable has {most} open links. Take one back first."),
    "unknown_passing": gettext_noop("There is no such link to a stable. It may be incomplete."),
    "waiting_list_full": gettext_noop("The waiting list has {largest} people, and there can be no more."),
    "unknown_person": gettext_noop("There is no account called {name}."),
}
"""Code -> template with {name} placeholders."""
