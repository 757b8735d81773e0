"""The sentences of the refusals about dates, seats and absent players; part of rules.campaign.wording.refusals."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop

SENTENCES: Mapping[str, str] = {
    "appointment_over": gettext_noop("This match is over or is not played at all; there is nothing to arrange in it."),
    "claim_needs_line_up": gettext_noop("Hand in your own line-up first: who claims is there and ready to play."),
    "claim_not_yours": gettext_noop(
        "This is for the other player to say. Only who came may claim, only who did not answers."
    ),
    "claim_too_early": gettext_noop(
        "The match was to be played on {date}. That the other one did not come can be claimed from {from} on (Q-157)."
    ),
    "date_after_deadline": gettext_noop("{date} is after the end of the round's time, {due}. Choose an earlier date."),
    "date_too_far": gettext_noop("{date} is more than {days} days ahead. Choose an earlier date."),
    "date_not_ahead": gettext_noop("{date} is not in the future. Choose a date to come."),
    "forfeit_not_possible": gettext_noop(
        "This match cannot be forfeited by one stable any more (Q-138). The AI can stand in for the one who did not "
        "come."
    ),
    "hand_over_overlaps": gettext_noop("The stable is handed over from {from} to {to} already. Take it back first."),
    "hand_over_takes_no_time": gettext_noop("A hand-over ends after it begins, and in the future: not {from} to {to}."),
    "hand_over_too_long": gettext_noop("A stable is handed over for {days} days at most. Hand it over again then."),
    "match_is_made": gettext_noop("The match has begun; how it is played cannot be changed any more."),
    "mode_needs_no_date": gettext_noop("The AI plays this match for both; nobody can be late for it."),
    "no_date_to_miss": gettext_noop("No date is agreed and the round has no deadline. Propose a date first (Q-157)."),
    "no_fixture_of_yours": gettext_noop("Your stable takes no part in this match."),
    "no_show_claimed": gettext_noop(
        "It is claimed already; the new date is {date}, and until then everybody waits (Q-157)."
    ),
    "no_show_decided": gettext_noop("What becomes of this match is decided already."),
    "nothing_to_change": gettext_noop("The match is arranged so already. Propose another date or another way to play."),
    "program_has_stable": gettext_noop(
        "{name} has a stable in this season, or plays for another one. A program needs an account of its own."
    ),
    "program_seat_over": gettext_noop("This program does not play here any more, or was never proposed."),
    "program_seat_taken": gettext_noop("A program is proposed for your stable already: {name}. End that first."),
    "program_unknown": gettext_noop(
        "There is no account called {name} with which a program may play. The program's owner makes one for it, and a "
        "token that may play."
    ),
    "proposal_closed": gettext_noop("This proposal is “{state}” now; it cannot be answered any more."),
    "season_is_paused": gettext_noop("The season does not run now, or it is paused. Nothing is late until it goes on."),
    "spending_limit_reached": gettext_noop("Of what may be spent while the owner is away is left: {left}."),
    "time_skipped": gettext_noop("There is no {time} in {zone}: the clocks go forward over it. Choose another time."),
    "table_needs_people": gettext_noop(
        "A match at a table needs a person for every stable, and {stable} has none now."
    ),
}
"""Code -> template with {name} placeholders."""
