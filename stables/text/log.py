"""The sentences of the season's log. Placeholders are the parameters of the entry.

A line about a match names it by its `pairing`, "Iron Parish – Kestrel Row". Times are parameters in ISO 8601, and the
reader has them in their own zone (stables.text.parameters).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from people.text.notices import WITH_REASON
from rules.core.messages import ngettext_noop
from rules.wording.filling import fitting, known_names, placeholders, say
from stables.text.parameters import DAYS, SPAN, in_words, with_days
from stables.text.reasons import MAY_HAVE_REASON
from web.languages.reader import translate
from web.moments import Moment, moment_words

SENTENCES: Mapping[str, str] = {
    "basket_bought": ngettext_noop(
        "The sealed basket of {stable} was bought: {count} asset.",
        "The sealed basket of {stable} was bought: {count} assets.",
    ),
    "calendar_changed": gettext_noop("The calendar was changed for what opens from now on: {changes}."),
    # Translators: {places} is a list of stables with their places and purses
    "cycle_closed": gettext_noop("Cycle {cycle} is closed. Places, with purses in Stones: {places}."),
    "cycle_dropped": ngettext_noop(
        "Cycle {cycle} is dropped: {stables} stable would take part in it.",
        "Cycle {cycle} is dropped: {stables} stables would take part in it.",
        "stables",
    ),
    "cycle_skipped": gettext_noop("{stable} sits out cycle {cycle}."),
    "cycle_not_skipped": gettext_noop("{stable} takes part in cycle {cycle} after all."),
    "calendar_days_off": gettext_noop("Days off: {days}. Nothing that opens from now on is due then."),
    "calendar_days_off_dropped": gettext_noop("No days off any more: {days}."),
    "deadline_behind_days_off": gettext_noop("Deadlines that were set moved behind the days off: {count}."),
    "deadline_market_put_off": gettext_noop("The market of cycle {cycle} was put off: from {from} to {to}."),
    "deadline_moved": gettext_noop(
        "Cycle {cycle}, round {round}, {pairing}: the deadline for {deadline} was moved to {date}. Before, it was "
        "{earlier}."
    ),
    "fixture_arena_set": gettext_noop(
        "{sides}, round {round}: the organisers set the arena: {after}. Before: {before}."
    ),
    "fixture_date_set": gettext_noop("{sides}, round {round}: the organisers set the date: {date}. Before: {earlier}."),
    "fixture_date_moved": gettext_noop("Round {round}, {pairing}: the date moved to {date}. Before: {earlier}."),
    "fixture_excused": gettext_noop(
        "{sides}, round {round}: {stable} is excused ({reason}). To be played by: {date}. Before: {earlier}."
    ),
    "fixture_excuse_withdrawn": gettext_noop(
        "{sides}, round {round}: nobody is excused any more ({reason}). To be played by: {date}. Before: {earlier}."
    ),
    "fixture_forfeit_declared": gettext_noop(
        "{sides}, round {round}: the organisers declared a forfeit of {stables}: {why}."
    ),
    "fixture_given_to_the_ai": gettext_noop(
        "{sides}, round {round}: the organisers let the AI play the match. Before: {before}."
    ),
    "fixture_line_up_reopened": gettext_noop(
        "{sides}, round {round}: the sealed line-up of {stable} was opened again, and nobody saw it ({reason})."
    ),
    "fixture_line_up_taken_back": gettext_noop("Round {round}, {pairing}: {stable} took its line-up back."),
    "fixture_mode_set": gettext_noop(
        "{sides}, round {round}: the organisers set how it is played: {after}. Before: {before}."
    ),
    "fixture_table_set": gettext_noop("{sides}, round {round}: the table is {after}. Before: {before}."),
    "fixture_extended": gettext_noop("Round {round}, {pairing}: not played in time; the one new date is {at}."),
    "fixture_left_to_the_ai": gettext_noop(
        "Round {round}, {pairing}: not played in time, so the AI plays it for all sides."
    ),
    "fixture_unplayed": gettext_noop("Round {round}, {pairing}: not played in time; absent: {stables}."),
    "invitation_made": gettext_noop("An invitation was made."),
    "invitation_revoked": gettext_noop("An invitation was taken back."),
    "coming_asked": gettext_noop("The organisers ask who comes: {at}."),
    "coming_yes": gettext_noop("{stable} comes: {at}."),
    "coming_no": gettext_noop("{stable} cannot come: {at}."),
    "date_agreed": gettext_noop("Round {round}, {pairing}: a date was agreed, {date}."),
    "hand_over_began": gettext_noop("{stable} is handed over to the AI from {from} to {to}."),
    "hand_over_taken_back": gettext_noop("{stable} is no longer handed over to the AI."),
    "mode_agreed_ai": gettext_noop("Round {round}, {pairing}: it was agreed that the AI plays for both."),
    "mode_agreed_browser": gettext_noop("Round {round}, {pairing}: it was agreed to play in the browser."),
    "mode_agreed_table": gettext_noop("Round {round}, {pairing}: it was agreed to play at a table."),
    "no_show_answered": gettext_noop(
        "Round {round}, {pairing}: {stable} is there; the claim that it did not come is off."
    ),
    "no_show_claimed": gettext_noop(
        "Round {round}, {pairing}: {stable} says that {absent} did not come. One new date: {date}."
    ),
    "no_show_claimed_again": gettext_noop(
        "Round {round}, {pairing}: {stable} says that {absent} did not come to the new date either."
    ),
    "no_show_forfeited": gettext_noop("Round {round}, {pairing}: {absent} did not come; {stable} chose the forfeit."),
    "no_show_stand_in": gettext_noop(
        "Round {round}, {pairing}: {absent} did not come; {stable} plays against the AI that stands in."
    ),
    "no_show_time_ran_out": gettext_noop(
        "Round {round}, {pairing}: {absent} let its time run out three times; {stable} chooses what happens."
    ),
    "no_show_withdrawn": gettext_noop("Round {round}, {pairing}: {stable} took back that the other one did not come."),
    "program_agreed": gettext_noop("Everybody consents: the program “{person}” plays the matches of {stable}."),
    "program_consented": gettext_noop("{stable} consents to the program of {other}."),
    "program_ended": gettext_noop("The program “{person}” does not play the matches of {stable} any more."),
    "program_proposed": gettext_noop("{stable} asks for consent to a program that plays its matches: “{person}”."),
    "proposal_declined": gettext_noop("Round {round}, {pairing}: {stable} declined what was proposed: {proposed}."),
    "sponsor_grant": gettext_noop("A sponsor gives {stable} {amount} for cycle {cycle}."),
    "unique_shared_changed": gettext_noop(
        "Round {round}, {pairing}: two stables on one side brought the same Unique ({numbers}); by a die {stable} "
        "fields something else."
    ),
    "unique_shared_stays_out": gettext_noop(
        "Round {round}, {pairing}: two stables on one side brought the same Unique ({numbers}); by a die {stable} "
        "stays out."
    ),
    "role_given_co_organiser": gettext_noop("{person} helps to organise the season."),
    "role_given_referee": gettext_noop("{person} is a referee of the season."),
    "role_taken_back_co_organiser": gettext_noop("{person} does not organise the season any more."),
    "role_taken_back_referee": gettext_noop("{person} is not a referee any more."),
    "round_of_the_ready": gettext_noop("Those who were ready were paired before the others: {pairings}."),
    "place_not_taken": gettext_noop("{person} did not take the free place in time."),
    "place_offered": gettext_noop("A free place is offered to {person} until {until}."),
    "season_class_changed": gettext_noop(
        "The class of the season was changed before anybody joined, from {class_before} to {class_after}."
    ),
    "season_copied": gettext_noop("This season was begun with the settings of {before}."),
    "season_renamed": gettext_noop("The season is called {after} now; it was {before}."),
    "waiting_began": gettext_noop("{person} waits for a place."),
    "waiting_left": gettext_noop("{person} does not wait for a place any more."),
    "waiting_passed_over": gettext_noop("An organiser took {person} off the waiting list: {reason}"),
    "season_cancelled": gettext_noop("The season was cancelled."),
    "season_message": gettext_noop("The organisers write to all: {text}"),
    "season_page_changed": gettext_noop("The season’s own page was changed."),
    "season_page_removed": gettext_noop("The season’s own page was removed."),
    "season_finished": gettext_noop("The season is over, and its results stand."),
    "season_paused": gettext_noop("The season is paused."),
    "season_provisional": gettext_noop(
        "The last result is in, and the champions are provisional: results may still be corrected until {at}."
    ),
    "season_resumed": gettext_noop("The season goes on; its open deadlines are later by the pause."),
    "settings_announced": gettext_noop("From cycle {cycle} on other settings hold: {changes}."),
    "settings_hold": gettext_noop("From cycle {cycle} on the announced settings hold: {changes}."),
    "settings_taken_back": gettext_noop(
        "The change of settings that was announced for cycle {cycle} was taken back: {changes}."
    ),
    "stable_founded": gettext_noop("{stable} is founded and takes part from cycle {cycle} on."),
    "stable_handed_to_ai": gettext_noop(
        "An organiser handed {stable} over to the AI until {until}, to do this: {scope}. The reason: {reason}"
    ),
    "stable_lined_up": gettext_noop(
        "Round {round}, {pairing}: an organiser handed in a line-up for {stable}, and did not see it: {reason}"
    ),
    "stable_repaired": gettext_noop("An organiser had {stable} repaired for its match: {reason}"),
    "stable_reminded": gettext_noop("The organisers reminded: {stables}."),
    "stable_stand_in": gettext_noop("Round {round}, {pairing}: {person} stands in for the owner of {stable}: {reason}"),
    "stable_stand_in_link": gettext_noop(
        "Round {round}, {pairing}: a link was made with which somebody stands in for {stable}: {reason}"
    ),
    "stable_stand_in_over": gettext_noop("Round {round}, {pairing}: nobody stands in for {stable} any more."),
    "stable_offered": gettext_noop("An organiser made a link that passes {stable} to another person: {reason}"),
    "stable_offer_revoked": gettext_noop("A link that passes {stable} to another person was taken back."),
    "guest_awaited": gettext_noop("An organiser made the link with which a guest plays {stable}."),
    "guest_link_made": gettext_noop("An organiser made a link with which a guest plays {stable}: {reason}"),
    "guest_link_renewed": gettext_noop(
        "An organiser made another link for the guest of {stable}, and the old phone counts no longer once it is used: "
        "{reason}"
    ),
    "guest_arrived": gettext_noop("The guest of {stable} opened the link and plays it now."),
    "guest_returned": gettext_noop("The guest of {stable} opened the new link."),
    "guest_seated": gettext_noop("A guest plays {stable} now, {person}: {reason}"),
    "stable_claimed": gettext_noop("The guest of {stable} has an account now, {person}."),
    "stable_passed": gettext_noop("{stable} has a new owner, {person}: {reason}"),
    "stable_removed": gettext_noop("An organiser removed {stable} before the season began: {reason}"),
    "stable_taken_from_ai": gettext_noop("An organiser gave {stable} back to its owner: {reason}"),
    "stable_withdrawn": gettext_noop("An organiser withdrew {stable} in cycle {cycle}: {reason}"),
    "stable_left": gettext_noop("{stable} left the season in cycle {cycle}."),
    # Translators: {others} may be several stables, {forfeit} names stables with the reason of each
    "match_forfeited": gettext_noop("Round {round}: {winner} wins by forfeit against {others}: {forfeit}."),
    # Translators: {others} are two or more stables
    "match_without_winner": gettext_noop("Round {round}: nobody wins the match of {others}: {forfeit}."),
    "match_won": gettext_noop(
        "Round {round}: {winner} beat {others}. Reputation {reputation}, {decided_by}; kills {kills}."
    ),
    "round_paired": gettext_noop("Round {round} of cycle {cycle} is paired: {pairings}."),
    "round_paired_with_bye": gettext_noop("Round {round} of cycle {cycle} is paired: {pairings}. {bye} has a bye."),
    "round_pairing_swapped": gettext_noop(
        "Round {round}: {one} and {other} exchanged their places ({reason}). The pairings are now: {pairings}."
    ),
    "season_follows": gettext_noop("This season follows {before}: its settings, calendar and AI stables."),
    "season_followed": gettext_noop("{after} is recruiting, the season after this one."),
    "sudden_death_appeared": gettext_noop("{stable} is there for the sudden death for the title “{title}”."),
    "sudden_death_begun": gettext_noop("The sudden death for the title “{title}” has begun."),
    "sudden_death_called": gettext_noop("Tied for the title “{title}”, a sudden death decides between {stables}."),
    "sudden_death_decided": gettext_noop("The sudden death for the title “{title}” is decided for {holders}."),
    "sudden_death_extended": gettext_noop("The sudden death for the title “{title}” has one last date: {date}."),
    "sudden_death_off": gettext_noop(
        "The sudden death for the title “{title}” is off: a corrected result changes who is tied."
    ),
    "title_provisional": gettext_noop("The title “{title}” goes to {holder}, provisionally. Decided by: {how}."),
    "title_held": gettext_noop("The title “{title}” goes to {holder}. Decided by: {how}."),
    "pilot_died": gettext_noop("Round {round}, {pairing}: {pilot} of {stable} died when the unit was eliminated."),
    "table_pin_confirmed": gettext_noop(
        "Round {round}, {pairing}: the word of {stable} was given at the table, by its PIN."
    ),
    "table_pin_made": gettext_noop(
        "Round {round}, {pairing}: a PIN was made with which {stable} confirms at the table."
    ),
    "report_filed": gettext_noop("Round {round}, {pairing}: {stable} reported the result."),
    "report_disputed": gettext_noop("Round {round}, {pairing}: the reports differ, and the result is disputed."),
    "result_agreed": gettext_noop("Round {round}, {pairing}: the result was reported and confirmed."),
    "result_by_silence": gettext_noop(
        "Round {round}, {pairing}: the result holds because nobody contradicted it in time."
    ),
    # Translators: {office} is “an organiser” or “a referee”
    "result_decided": gettext_noop("Round {round}, {pairing}: {office} decided. {reason}"),
    "result_reopened": gettext_noop(
        "Round {round}, {pairing}: {stable} opened the result again that silence confirmed. The reason: “{reason}”. "
        "What it changes: {effects}"
    ),
    "result_voided": gettext_noop(
        "Round {round}, {pairing}: the result was voided. The reason: “{reason}”. What it changes: {effects}"
    ),
    "result_replaced": gettext_noop(
        "Round {round}, {pairing}: the result was replaced. The reason: “{reason}”. What it changes: {effects}"
    ),
    "result_corrected": gettext_noop(
        "Round {round}, {pairing}: the result was corrected. The reason: “{reason}”. What it changes: {effects}"
    ),
    "debt_waived": gettext_noop("{stable} need not pay back {amount}: {reason}"),
    "visibility_public": gettext_noop("The season is listed now, and everybody may see it."),
    "visibility_unlisted": gettext_noop("The season is not listed now; whoever knows its address may see it."),
    "visibility_private": gettext_noop("Only those who take part in the season may see it now."),
    "season_published": gettext_noop("The season was a draft and is published; it recruits now."),
    "season_started": ngettext_noop(
        "The season has begun with {stables} stable.", "The season has begun with {stables} stables.", "stables"
    ),
}
"""Code -> template with {name} placeholders."""

SHORTER: Mapping[str, Sequence[str]] = {
    "match_forfeited": (gettext_noop("Round {round}: {winner} wins by forfeit against {others}."),),
    "match_without_winner": (gettext_noop("Round {round}: nobody wins the match of {others}."),),
    "deadline_moved": (
        gettext_noop(
            "Cycle {cycle}, round {round}: the deadline for {deadline} was moved to {date}. Before, it was {earlier}."
        ),
        gettext_noop("Cycle {cycle}, round {round}: the deadline for {deadline} was set to {date}. It had none."),
        gettext_noop("Cycle {cycle}: the deadline for {deadline} was moved to {date}. Before, it was {earlier}."),
        gettext_noop("Cycle {cycle}: the deadline for {deadline} was set to {date}. It had none."),
        gettext_noop("Title “{title}”: the deadline for {deadline} was moved to {date}. Before, it was {earlier}."),
        gettext_noop("The deadline for {deadline} was moved to {date}. Before, it was {earlier}."),
        gettext_noop("A deadline was moved to {date}."),
    ),
    "calendar_changed": (gettext_noop("The calendar was changed; it holds for what opens from now on."),),
    "date_agreed": (gettext_noop("A date was agreed: {date}."),),
    "fixture_extended": (
        gettext_noop("Match {match} of round {round} was not played in time; its one new date: {at}."),
    ),
    "fixture_left_to_the_ai": (gettext_noop("The match was not played in time, so the AI plays it for all sides."),),
    "fixture_unplayed": (gettext_noop("The match was not played in time; absent: {stables}."),),
    "mode_agreed_ai": (gettext_noop("It was agreed that the AI plays this match for both."),),
    "mode_agreed_browser": (gettext_noop("It was agreed to play this match in the browser."),),
    "mode_agreed_table": (gettext_noop("It was agreed to play this match at a table."),),
    "match_won": (gettext_noop("Round {round}: {winner} beat {others}. Reputation {reputation}, kills {kills}."),),
    "no_show_answered": (gettext_noop("{stable} is there; the claim that it did not come is off."),),
    "no_show_withdrawn": (gettext_noop("{stable} took back that the other one did not come."),),
    "no_show_claimed": (gettext_noop("{stable} says that {absent} did not come. One new date: {date}."),),
    "no_show_claimed_again": (gettext_noop("{stable} says that {absent} did not come to the new date either."),),
    "no_show_forfeited": (gettext_noop("{absent} did not come; {stable} chose the forfeit."),),
    "no_show_stand_in": (gettext_noop("{absent} did not come; {stable} plays against the AI that stands in."),),
    "no_show_time_ran_out": (
        gettext_noop("{absent} let its time run out three times; {stable} chooses what happens."),
    ),
    "pilot_died": (gettext_noop("{pilot} of {stable} died when the unit was eliminated."),),
    "unique_shared_changed": (
        gettext_noop(
            "Two stables on one side brought the same Unique ({numbers}); by a die {stable} fields something else."
        ),
    ),
    "unique_shared_stays_out": (
        gettext_noop("Two stables on one side brought the same Unique ({numbers}); by a die {stable} stays out."),
    ),
    "proposal_declined": (gettext_noop("{stable} declined what was proposed for this match."),),
    "round_of_the_ready": (gettext_noop("Those who were ready were paired before the others: stables {stables}."),),
    "season_class_changed": (gettext_noop("The class of the season was changed before anybody joined: {class}."),),
    "stable_handed_to_ai": (gettext_noop("An organiser handed {stable} over to the AI: {reason}"),),
    "settings_announced": (gettext_noop("From cycle {cycle} on other settings hold: {settings}."),),
    "settings_hold": (gettext_noop("From this cycle on the announced settings hold: {settings}."),),
    "settings_taken_back": (gettext_noop("The announced change of settings was taken back: {settings}."),),
    "fixture_line_up_taken_back": (gettext_noop("{stable} took its line-up for round {round} back."),),
    "stable_lined_up": (gettext_noop("An organiser handed in a line-up for {stable}, and did not see it: {reason}"),),
    "stable_stand_in": (gettext_noop("{person} stands in for the owner of {stable}: {reason}"),),
    "stable_stand_in_link": (gettext_noop("A link was made with which somebody stands in for {stable}: {reason}"),),
    "stable_stand_in_over": (gettext_noop("Nobody stands in for {stable} any more where somebody did."),),
    "table_pin_confirmed": (gettext_noop("Round {round}: the word of {stable} was given at the table, by its PIN."),),
    "table_pin_made": (gettext_noop("Round {round}: a PIN was made with which {stable} confirms at the table."),),
    "report_filed": (gettext_noop("{stable} reported the result of a match of round {round}."),),
    "result_agreed": (gettext_noop("The result of match {match} of round {round} was reported and confirmed."),),
    "result_by_silence": (
        gettext_noop("The result of match {match} of round {round} holds because nobody contradicted it in time."),
    ),
    "result_decided": (
        gettext_noop("Round {round}, {pairing}: an organiser or a referee decided. {reason}"),
        gettext_noop("An organiser or a referee decided match {match} of round {round}: {reason}"),
    ),
    "result_reopened": (
        gettext_noop("Round {round}, {pairing}: {stable} opened the result again that silence confirmed. {reason}"),
        gettext_noop("{stable} opened a result of round {round} again that silence confirmed: {reason}"),
    ),
    "result_voided": (
        gettext_noop("Round {round}, {pairing}: the result was voided. {reason}"),
        gettext_noop("The result of match {match} of round {round} was voided: {reason}"),
    ),
    "result_replaced": (
        gettext_noop("Round {round}, {pairing}: the result was replaced. {reason}"),
        gettext_noop("The result of match {match} of round {round} was replaced: {reason}"),
    ),
    "result_corrected": (
        gettext_noop("Round {round}, {pairing}: the result was corrected. {reason}"),
        gettext_noop("The result of match {match} of round {round} was corrected: {reason}"),
    ),
}
"""Code -> further templates, for entries that lack a parameter: those of earlier versions, deadlines of markets,
stand-ins of an evening, and matches that the reputation decided (O-S17) or that nobody won, though nobody forfeited."""

UNKNOWN = gettext_noop("Something happened ({code}).")


def log_sentence(code: str, parameters: Mapping[str, Any], moment: Moment = moment_words) -> str:
    """Return the sentence of an entry in the reader's language. Never raises, since entries may outlive their codes.

    `moment` words the times, by default in the current time zone with its name. A missing parameter shows as an
    ellipsis, an unknown code as a general sentence with the code.
    """
    if code not in SENTENCES:
        return say(UNKNOWN, {"code": code}, translate)
    values = with_days(parameters)
    template = fitting(templates(code), known_names(values))
    shown = {name: values[name] for name in placeholders(template) if name in values}
    said = say(template, in_words(shown, moment), translate)
    if code in MAY_HAVE_REASON and values.get("reason"):
        return say(WITH_REASON, {"said": said, **in_words({"reason": values["reason"]}, moment)}, translate)
    return said


def templates(code: str) -> tuple[str, ...]:
    """Return the templates of an entry's sentence, the one with the most parameters first; () for an unknown code."""
    return (SENTENCES[code], *SHORTER.get(code, ())) if code in SENTENCES else ()


def shown_parameters(code: str) -> frozenset[str]:
    """Return the names of the parameters that an entry's sentence may show; empty for an unknown code."""
    found = frozenset(name for template in templates(code) for name in placeholders(template))
    if code in MAY_HAVE_REASON:
        return found | {"reason"}
    return found - {DAYS} | frozenset(SPAN) if DAYS in found else found
