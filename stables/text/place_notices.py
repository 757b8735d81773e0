"""The notices about places in a season: who stands in, guests, stables that pass to others, the waiting list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.core.messages import gettext_noop

OF_PLACES: Mapping[str, str] = {
    "stand_in_named": gettext_noop(
        "{season}, round {round}: {person} stands in for the owner of {stable} in {pairing}: {reason}"
    ),
    "stand_in_yours": gettext_noop(
        "“{season}”: you stand in for the owner of “{stable}”, for everything called for until {until}: “{reason}”. "
        "Hand in the line-ups, and play or report the matches."
    ),
    "stand_in_link": gettext_noop(
        "{season}, round {round}: the organisers made a link with which somebody stands in for you with {stable} in "
        "{pairing}: {reason}"
    ),
    "stand_in_over": gettext_noop(
        "“{season}”, round {round}: nobody stands in for “{stable}” any more in “{pairing}”."
    ),
    "guest_link_renewed": gettext_noop(
        "The organisers of the season “{season}” made another link for the guest of “{stable}”: “{reason}”"
    ),
    "stable_claimed": gettext_noop("{season}: your guest’s stable {stable} belongs to your account now."),
    "stable_passed": gettext_noop("Your stable {stable} in {season} has another owner now: {reason}"),
    "stable_yours": gettext_noop(
        "The organisers of the season “{season}” made you the owner of the stable “{stable}”: “{reason}”"
    ),
    "place_offered": gettext_noop(
        "A place in the season “{season}” is free for you until {until}: found a stable, or leave the waiting list."
    ),
    "place_not_taken": gettext_noop(
        "You did not take the place in the season “{season}” in time, so it is offered to the next."
    ),
    "waiting_passed_over": gettext_noop(
        "The organisers of the season “{season}” took you off its waiting list: “{reason}”"
    ),
}
"""Code -> template, as in stables.text.notices."""

SHORTER_OF_PLACES: Mapping[str, Sequence[str]] = {
    "stand_in_named": (gettext_noop("{season}: {person} stands in for the owner of {stable}: {reason}"),),
    "stand_in_link": (
        gettext_noop(
            "{season}: the organisers made a link with which somebody stands in for you with {stable} in {pairing}: "
            "{reason}"
        ),
    ),
    "stand_in_over": (gettext_noop("“{season}”: nobody stands in for “{stable}” any more where somebody did."),),
    "stand_in_yours": (
        gettext_noop(
            "“{season}”, round {round}: you stand in for the owner of “{stable}” in “{pairing}”, until {due}: "
            "“{reason}”. Hand in the line-up, and play or report the match. Format: {format}. Arena: {arena}."
        ),
        gettext_noop(
            "“{season}”, round {round}: you stand in for the owner of “{stable}” in “{pairing}”: “{reason}”. Hand in "
            "the line-up, and play or report the match. Format: {format}. Arena: {arena}."
        ),
        gettext_noop(
            "“{season}”: you stand in for the owner of “{stable}” in “{pairing}”, until {due}: “{reason}”. Hand in the "
            "line-up, and play or report the match."
        ),
        gettext_noop(
            "“{season}”: you stand in for the owner of “{stable}” in “{pairing}”: “{reason}”. Hand in the line-up, "
            "and play or report the match."
        ),
        gettext_noop(
            "“{season}”: you stand in for the owner of “{stable}” in one match: “{reason}”. Hand in the line-up, and "
            "play or report it."
        ),
    ),
}
"""Code -> further templates, for an evening, what has no deadline, or what comes from an earlier version."""
