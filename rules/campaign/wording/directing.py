"""The sentences of the refusals of organisers' acts on open matches, and of line-ups that are taken back."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop

SENTENCES: Mapping[str, str] = {
    "decide_instead": gettext_noop("A report of this match is in. Decide its result instead."),
    "excuse_needs_time": gettext_noop(
        "The match is to be played by {due}. Say until when it may be played with the excuse."
    ),
    "excuse_still_needed": gettext_noop(
        "Without the excuse the time of this match would be over already. Give it a later time, or declare a forfeit."
    ),
    "excuse_unknown": gettext_noop("Nobody is excused from this match."),
    "excuse_no_longer": gettext_noop("The match may be played until {due} anyway. {date} is no later."),
    "forfeit_of_the_ai": gettext_noop(
        "The AI plays this match for all sides, so nobody has to come. Correct its result when it is over."
    ),
    "line_up_claimed": gettext_noop(
        "It is claimed that a player did not come to this match, and that needs the line-ups. Withdraw the claim first."
    ),
    "line_up_not_in": gettext_noop("{stable} has handed in no line-up for this match that could be taken back."),
    "line_up_of_the_ai": gettext_noop("The AI hands in the line-ups of {stable}, and would choose the same again."),
    "line_up_time_over": gettext_noop(
        "The time for the line-ups of this match is over, so they stay as they are. An organiser can excuse a stable."
    ),
    "line_ups_revealed": gettext_noop("All line-ups of this match are in and revealed, so none is taken back."),
    "organiser_owns_side": gettext_noop(
        "You own a stable of this match, so another organiser has to do this. Name one on the season’s console, or "
        "agree with the other side on date and mode."
    ),
    "swap_line_up_in": gettext_noop(
        "{stable} has handed in its line-up, so the pairing stays. Open the line-up first."
    ),
    "swap_rematch": gettext_noop("{one} and {other} have met before in this season ({times}×, Q-149)."),
    "bye_not_due": gettext_noop("{name} gets no bye: this round has none, or another stable has had fewer (Q-158)."),
    "swap_second_bye": gettext_noop("{stable} has had a bye before in this cycle ({byes}×, Q-158)."),
    "swap_shared_side": gettext_noop("Two stables share one of these sides, and only one fights on the other (Q-168)."),
    "swap_too_late": gettext_noop("Only matches whose line-ups are called for exchange sides, or one of them a bye."),
}
"""Code -> template with {name} placeholders."""
