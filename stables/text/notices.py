"""The notices of seasons to people, on their own page and by mail.

A notice about a match names it by its `pairing`, "Iron Parish – Kestrel Row". Times are parameters in ISO 8601, and the
reader has them in their own zone (stables.text.parameters).
"""

from collections.abc import Mapping, Sequence

from people.text import notices
from rules.core.messages import gettext_noop, ngettext_noop
from stables.text.market_notices import OF_MARKETS, SHORTER_OF_MARKETS
from stables.text.match_notices import OF_MATCHES, SHORTER_OF_MATCHES
from stables.text.notice_topics import ASKS, DATES, HAPPENS, SET_FOR_YOU, TOPICS
from stables.text.parameters import OF_NOTICES
from stables.text.place_notices import OF_PLACES, SHORTER_OF_PLACES
from stables.text.reasons import MAY_HAVE_REASON

SENTENCES: Mapping[str, str] = {
    **OF_PLACES,
    **OF_MATCHES,
    **OF_MARKETS,
    # The season's life.
    "settings_announced": gettext_noop("{season}: from cycle {cycle} on other settings hold: {changes}."),
    "settings_taken_back": gettext_noop(
        "{season}: the change of settings announced for cycle {cycle} is off: {changes}."
    ),
    "calendar_changed": gettext_noop(
        "{season}: the calendar was changed: {changes}. Deadlines that were set moved too: {count}."
    ),
    "deadline_moved": gettext_noop(
        "{season}, cycle {cycle}, round {round}, {pairing}: the deadline for {deadline} was moved to {date}. "
        "Before, it was {earlier}."
    ),
    "market_put_off": gettext_noop("{season}: the market of cycle {cycle} was put off, from {from} to {to}."),
    "season_started": gettext_noop("{season} has begun."),
    "season_paused": gettext_noop("{season} is paused: no deadline passes until it goes on."),
    "season_resumed": gettext_noop("{season} goes on."),
    "season_cancelled": gettext_noop("{season} was cancelled."),
    "season_finished": gettext_noop("{season} is over. Champion stable: {stable}. Champion pilot: {pilot}."),
    "season_provisional": gettext_noop(
        "The last result of {season} is in. Provisional champion stable: {stable}. Provisional champion pilot: "
        "{pilot}. Results may still be corrected until {at}."
    ),
    "season_stands": gettext_noop(
        "{season} is over, and its results stand. Champion stable: {stable}. Champion pilot: {pilot}."
    ),
    "season_stands_corrected": gettext_noop(
        "{season} is over. Corrections changed its champions. Champion stable: {stable}. Champion pilot: {pilot}."
    ),
    "season_message": gettext_noop("The organisers of the season “{season}” write: “{text}”"),
    "miniature_removed": gettext_noop(
        "An organiser of the season “{season}” removed your photo of the miniature {name}."
    ),
    "season_page_changed": gettext_noop("The organisers of the season “{season}” changed its own page."),
    "visibility_public": gettext_noop("The season “{season}” is listed now, and everybody may see it."),
    "visibility_unlisted": gettext_noop(
        "The season “{season}” is not listed now; whoever knows its address may see it."
    ),
    "visibility_private": gettext_noop("Only those who take part in the season “{season}” may see it now."),
    "season_invites_again": gettext_noop(
        "The season “{season}” is recruiting, the one after “{before}”, and you are invited to play in it again."
    ),
    "role_taken_back": gettext_noop("The organisers of the season “{season}” took your office back: {role}."),
    "stable_left": gettext_noop("{stable} has left {season}."),
    "stable_removed": gettext_noop("The organisers of {season} removed your stable {stable}: {reason}"),
    "stable_withdrawn": gettext_noop("The organisers of {season} withdrew your stable {stable}: {reason}"),
    "stable_handed_to_ai": gettext_noop(
        "The organisers of {season} handed your stable {stable} over to the AI until {until} ({reason}). It does this: "
        "{scope}. It may spend {limit} at most. You can take your stable back."
    ),
    "stable_taken_from_ai": gettext_noop(
        "The organisers of {season} took your stable {stable} back from the AI ({reason}). You decide for it again."
    ),
    "stable_lined_up": gettext_noop(
        "The organisers of {season} handed in a line-up of your stable {stable} for {pairing}, round {round}: your "
        "saved one, or the nearest legal one ({reason}). Until all are in, you can take it back."
    ),
    "stable_repaired": ngettext_noop(
        "The organisers of {season} had {count} ’Mech of your stable {stable} repaired for {price}: {reason}",
        "The organisers of {season} had {count} ’Mechs of your stable {stable} repaired for {price}: {reason}",
    ),
    "who_comes": gettext_noop("{season} asks whether you come with {stable}: {at}. One tap answers."),
    "reminder_line_up": gettext_noop(
        "The organisers of {season} remind you: your line-up for {pairing}, cycle {cycle}, round {round}, is missing. "
        "It is called for until {due}. Format: {format}. Arena: {arena}."
    ),
    "reminder_match": gettext_noop(
        "The organisers of {season} remind you: {pairing}, cycle {cycle}, round {round}, is to be played, {mode}, by "
        "{due}. Format: {format}. Arena: {arena}."
    ),
    "stable_offered": gettext_noop(
        "The organisers of {season} made a link that passes your stable {stable} to another person: {reason}"
    ),
    "stable_offer_revoked": gettext_noop(
        "{season}: the link that passes your stable {stable} to another person was taken back."
    ),
    "season_renamed": gettext_noop("The season {before} is called {after} now. Its address stays."),
    "role_given": gettext_noop("The organisers of the season “{season}” gave you an office: {role}."),
    # For the people who run a season.
    "stable_joined": gettext_noop(
        "The stable “{stable}” of “{person}” has joined the season “{season}” and takes part from cycle {cycle} on."
    ),
    "person_waits": gettext_noop("“{person}” waits for a place in the season “{season}”."),
    "no_show_told": gettext_noop(
        "The season “{season}”, round {round}: “{stable}” says that “{absent}” did not come to “{pairing}”."
    ),
    "match_late": gettext_noop(
        "The season “{season}”, round {round}: “{pairing}” was not played in time. There is time until {at}."
    ),
    "match_unplayed": gettext_noop(
        "The season “{season}”, round {round}: “{pairing}” was not played in time, and these forfeit: “{stables}”."
    ),
    "job_failed": gettext_noop("The season “{season}” cannot go on: this failed, “{job}”. Start it again."),
    "cycle_closed": gettext_noop("Cycle {cycle} of {season} is closed: place {place}, purse {purse}."),
    # Rounds and dates.
    "line_up_due": gettext_noop(
        "{season}, cycle {cycle}, round {round}: your line-up for {pairing} is called for until {due}. "
        "Format: {format}. Arena: {arena}."
    ),
    "line_up_chosen": gettext_noop(
        "{season}, cycle {cycle}, round {round}: you handed in no line-up for {pairing} in time, so one was chosen for "
        "you."
    ),
    "rival_forfeits": gettext_noop(
        "{season}, cycle {cycle}, round {round}: your rival in {pairing} forfeits. You need not hand in a line-up: one "
        "was chosen, and its pilots gain the reputation."
    ),
    "date_proposed": gettext_noop("{season}, round {round}: {stable} proposes a date for {pairing}: {at}."),
    "mode_proposed": gettext_noop("{season}, round {round}: {stable} proposes how to play {pairing}: {mode}."),
    "proposal_accepted": gettext_noop(
        "{season}, round {round}: what you proposed for {pairing} was accepted: {proposed}."
    ),
    "proposal_declined": gettext_noop(
        "{season}, round {round}: what you proposed for {pairing} was declined: {proposed}."
    ),
    "match_ready": gettext_noop(
        "{season}, cycle {cycle}, round {round}: all line-ups of {pairing} are in. Play it, {mode}, by {due}. "
        "Format: {format}. Arena: {arena}."
    ),
    # What organisers do with an open match.
    "fixture_arena_set": gettext_noop(
        "{season}, {sides} in round {round}: the organisers set the arena: {after}. Before: {before}."
    ),
    "fixture_date_set": gettext_noop(
        "{season}, {sides} in round {round}: the organisers set the date: {date}. Before: {earlier}."
    ),
    "fixture_date_moved": gettext_noop(
        "{season}, {pairing} in round {round}: the date moved to {date}. Before: {earlier}."
    ),
    "fixture_excused": gettext_noop(
        "{season}, {sides} in round {round}: {stable} is excused ({reason}). To be played by: {date}. "
        "Before: {earlier}."
    ),
    "fixture_excuse_withdrawn": gettext_noop(
        "{season}, {sides} in round {round}: nobody is excused any more ({reason}). To be played by: {date}. "
        "Before: {earlier}."
    ),
    "fixture_forfeit_declared": gettext_noop(
        "{season}, {sides} in round {round}: the organisers declared a forfeit of {stables}: {why}."
    ),
    "fixture_given_to_the_ai": gettext_noop(
        "{season}, {sides} in round {round}: the organisers let the AI play the match. Before: {before}."
    ),
    "fixture_line_up_reopened": gettext_noop(
        "{season}, {sides} in round {round}: the organisers opened the sealed line-up of {stable} again, and nobody "
        "saw it ({reason}). {stable} may hand in another until {due}. Format: {format}. Arena: {arena}."
    ),
    "fixture_mode_set": gettext_noop(
        "{season}, {sides} in round {round}: the organisers set how it is played: {after}. Before: {before}."
    ),
    "fixture_table_set": gettext_noop("{season}, {sides} in round {round}: your table is {after}. Before: {before}."),
    "pairing_swapped": gettext_noop(
        "{season}, round {round}: the organisers changed the pairing ({reason}). You meet {after}. Before: {before}."
    ),
    "pairing_swapped_for_a_bye": gettext_noop(
        "{season}, round {round}: the organisers changed the pairing ({reason}). You have a bye. Before: {before}."
    ),
    # Results.
    "report_names_you": gettext_noop(
        "{season}, round {round}: {stable} has reported the result of {pairing}. Confirm it or report: if you say "
        "nothing, the report counts from {due} on. Format: {format}. Arena: {arena}."
    ),
    "report_due": gettext_noop(
        "{season}, round {round}: the time to play {pairing} is over. Report how it ended by {at}. Format: {format}. "
        "Arena: {arena}."
    ),
    "report_reminder": gettext_noop(
        "{season}, round {round}: {stable} still waits for your word on the result of {pairing}. If you say nothing, "
        "the report counts from {due} on. Format: {format}. Arena: {arena}."
    ),
    "table_pin_confirmed": gettext_noop(
        "{season}, round {round}: your PIN confirmed a report of {pairing}, for {stable}."
    ),
    "table_pin_made": gettext_noop(
        "{season}, round {round}: a new PIN was made for you and {stable} in {pairing}. Ask an organiser or a referee "
        "for it."
    ),
    "result_by_silence": gettext_noop(
        "{season}, round {round}: the result of {pairing} holds, because you did not contradict it in time. "
        "Until the cycle closes you can open it again, once."
    ),
    "result_reopened": gettext_noop(
        "{season}, round {round}: {stable} opened the result of {pairing} again. What it changes for you: {effects} "
        "The reason: “{reason}”."
    ),
    "result_decided": gettext_noop("{season}, round {round}: {office} decided the result of {pairing}. {reason}"),
    "correction_made": gettext_noop(
        "{season}, cycle {cycle}, round {round}: the result of {pairing} was corrected. What it changes for you: "
        "{effects} The reason: “{reason}”."
    ),
    # Seats.
    "hand_over_ended": gettext_noop("Your stable {stable} is yours again. See what was done while you were away."),
    "seat_proposed": gettext_noop("{stable} asks whether a program may play its matches in {season}."),
    "seat_agreed": gettext_noop("A program plays the matches of {stable} in {season} from now on."),
    # Webhooks.
    "webhook_made": gettext_noop("{season}: {person} made a webhook to {host}. News of the season go there now."),
    "webhook_turned_off": gettext_noop(
        "{season}: the webhook to {host} was turned off, because it took no news any more. Look at its last tries."
    ),
    "webhook_gone": gettext_noop(
        "{season}: the webhook to {host} was turned off: there is nothing at its address any more. Perhaps it was "
        "deleted there."
    ),
    "webhook_maker_gone": gettext_noop(
        "{season}: the webhook to {host} was turned off, because who made it organises the season no more. "
        "Turn it on again if the news should go there."
    ),
    # The titles.
    "sudden_death_off": gettext_noop(
        "{season}: the sudden death for the title “{title}” is off, because a corrected result changes who is tied."
    ),
    "sudden_death_ends": gettext_noop(
        "{season}: finish the match for the title “{title}” by {at}. After that the AI plays it to its end."
    ),
}
"""Code -> template; its placeholders are the parameters that the notice must have.

Notices that somebody may get without having joined the season have its names in quotation marks.
"""

SHORTER: Mapping[str, Sequence[str]] = {
    **SHORTER_OF_PLACES,
    **SHORTER_OF_MARKETS,
    **SHORTER_OF_MATCHES,
    "settings_announced": (gettext_noop("New settings were announced for {season}: they hold from cycle {cycle} on."),),
    "settings_taken_back": (gettext_noop("{season}: the change of settings announced for cycle {cycle} is off."),),
    "calendar_changed": (
        gettext_noop("{season}: the calendar was changed for what opens from now on: {changes}."),
        gettext_noop("The calendar of {season} was changed; see when the next deadlines are."),
    ),
    "deadline_moved": (
        gettext_noop(
            "{season}, cycle {cycle}, round {round}: the deadline for {deadline} was moved to {date}. Before, it was "
            "{earlier}."
        ),
        gettext_noop(
            "{season}, cycle {cycle}, round {round}: the deadline for {deadline} was set to {date}. It had none."
        ),
        gettext_noop(
            "{season}, cycle {cycle}: the deadline for {deadline} was moved to {date}. Before, it was {earlier}."
        ),
        gettext_noop("{season}, cycle {cycle}: the deadline for {deadline} was set to {date}. It had none."),
        gettext_noop(
            "{season}, title “{title}”: the deadline for {deadline} was moved to {date}. Before, it was {earlier}."
        ),
        gettext_noop("{season}: the deadline for {deadline} was moved to {date}. Before, it was {earlier}."),
        gettext_noop("A deadline of {season} was moved; see when it is now."),
    ),
    "stable_handed_to_ai": (
        gettext_noop(
            "The organisers of {season} handed your stable {stable} over to the AI until {until} ({reason}). It does "
            "this: {scope}. It may spend all your Stones. You can take your stable back."
        ),
        gettext_noop(
            "The organisers of {season} handed your stable {stable} over to the AI ({reason}). You can take it back."
        ),
    ),
    "reminder_line_up": (
        gettext_noop(
            "The organisers of {season} remind you: your line-up for {pairing}, cycle {cycle}, round {round}, is "
            "missing. Format: {format}. Arena: {arena}."
        ),
        gettext_noop(
            "The organisers of {season} remind you: your line-up for round {round} of cycle {cycle} is missing."
        ),
    ),
    "reminder_match": (
        gettext_noop(
            "The organisers of {season} remind you: {pairing}, cycle {cycle}, round {round}, is to be played, {mode}. "
            "Format: {format}. Arena: {arena}."
        ),
        gettext_noop(
            "The organisers of {season} remind you: your match of round {round} of cycle {cycle} is to be played."
        ),
    ),
    "fixture_line_up_reopened": (
        gettext_noop(
            "{season}, {sides} in round {round}: the organisers opened the sealed line-up of {stable} again, and "
            "nobody saw it ({reason}). {stable} may hand in another. Format: {format}. Arena: {arena}."
        ),
        gettext_noop(
            "{season}, {sides} in round {round}: the organisers opened the sealed line-up of {stable} again, and "
            "nobody saw it ({reason}). {stable} may hand in another."
        ),
    ),
    "line_up_due": (
        gettext_noop(
            "{season}, cycle {cycle}, round {round}: your line-up for {pairing} is called for. "
            "Format: {format}. Arena: {arena}."
        ),
        gettext_noop("{season}, cycle {cycle}, round {round}: your line-up is called for."),
    ),
    "line_up_chosen": (
        gettext_noop(
            "{season}, cycle {cycle}, round {round}: you handed in no line-up in time, so one was chosen for you."
        ),
    ),
    "date_proposed": (gettext_noop("{stable} proposes a date for your match in {season}: {at}."),),
    "mode_proposed": (gettext_noop("{stable} proposes for your match in {season}: {mode}."),),
    "proposal_accepted": (gettext_noop("What you proposed for your match in {season} was accepted."),),
    "proposal_declined": (gettext_noop("What you proposed for your match in {season} was declined."),),
    "match_ready": (
        gettext_noop(
            "{season}, cycle {cycle}, round {round}: all line-ups of {pairing} are in. Play it, {mode}. "
            "Format: {format}. Arena: {arena}."
        ),
    ),
    "report_names_you": (
        gettext_noop("{stable} has reported the result of your match in {season}. Confirm it or report."),
    ),
    "stable_lined_up": (
        gettext_noop(
            "The organisers of {season} handed in a line-up of your stable {stable} for round {round}: your saved one, "
            "or the nearest legal one ({reason}). Until all are in, you can take it back."
        ),
    ),
    "table_pin_confirmed": (
        gettext_noop("{season}: your PIN confirmed a report of your match in round {round}, for {stable}."),
    ),
    "table_pin_made": (
        gettext_noop(
            "{season}: a new PIN was made for you and {stable} in round {round}. Ask an organiser or a referee for it."
        ),
    ),
    "report_due": (
        gettext_noop("{season}, round {round}: the time to play {pairing} is over. Report how it ended."),
        gettext_noop("The time to play your match in {season} is over: report how it ended by {at}."),
    ),
    "sudden_death_ends": (gettext_noop("{season}: finish the match for the title “{title}”."),),
    "report_reminder": (gettext_noop("{stable} still waits for your word on the result of your match in {season}."),),
    "result_by_silence": (
        gettext_noop(
            "The result of your match in {season} holds, because you did not contradict it in time. "
            "Until the cycle closes you can open it again, once."
        ),
    ),
    "result_reopened": (
        gettext_noop("{season}, round {round}: {stable} opened the result of {pairing} again. {reason}"),
        gettext_noop("{stable} opened the result of your match in {season} again: {reason}"),
    ),
    "result_decided": (
        gettext_noop("{season}, round {round}: the result of {pairing} was decided. {reason}"),
        gettext_noop("The result of your match in {season} was decided, with this reason: {reason}"),
    ),
    "correction_made": (gettext_noop("A result of {season} was corrected: {reason}"),),
}
"""Code -> further templates, for what has no deadline, no round, or comes from an earlier version."""

NAMES_ME = ("report_names_you", "report_disputed", "report_due", "report_reminder", "no_show_claimed", "no_show_choice")
"""Notices of a reported result or a claimed no-show, which may cost a match within hours."""


def register() -> None:
    """Register these notices, and the kinds of mail that send some of them at once."""
    reminders = ["reminder_market", "reminder_line_up", "reminder_match"]
    your_turn = ["line_up_due", "match_ready", "fixture_line_up_reopened", "place_offered", "who_comes", *reminders]
    your_turn += ["ready_ended", "stand_in_yours", "sudden_death_called", "sudden_death_extended", "sudden_death_ends"]
    notices.register(
        SENTENCES,
        room="stables",
        at_once={
            "your_turn": your_turn,
            "reports": NAMES_ME,
            "match_near": ["match_near"],
            "dates": [*DATES, *SET_FOR_YOU],
            "messages": ["season_message"],
            "organising": ["ruling_wanted", "no_show_told", "job_failed"],
        },
        shorter=SHORTER,
        words=OF_NOTICES,
        topics=TOPICS,
        asks=ASKS,
        happens=HAPPENS,
        may_have_reason=[code for code in MAY_HAVE_REASON if code in SENTENCES],
    )
