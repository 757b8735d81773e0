"""The notices about a match that waits for an act of its people, or that a rival's act opens again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.core.messages import gettext_noop

OF_MATCHES: Mapping[str, str] = {
    "line_up_taken_back": gettext_noop(
        "{season}, cycle {cycle}, round {round}: {stable} took its line-up for {pairing} back and may hand in another. "
        "Nobody saw it."
    ),
    "match_near": gettext_noop(
        "{season}, round {round}: your match {pairing} begins {at}. How it is played: {mode}. It may be played until "
        "{due}. Format: {format}. Arena: {arena}."
    ),
    "no_show_claimed": gettext_noop(
        "{season}, round {round}: {stable} says that you did not come to {pairing}. The one new date is {date}. "
        "Format: {format}. Arena: {arena}."
    ),
    "no_show_choice": gettext_noop(
        "{season}, round {round}: {stable} did not come again to {pairing}. Choose what happens. Format: {format}. "
        "Arena: {arena}."
    ),
    "report_disputed": gettext_noop(
        "{season}, round {round}: the reports of {pairing} differ in {count} of what they say. See them side by side. "
        "Format: {format}. Arena: {arena}."
    ),
    "ruling_wanted": gettext_noop(
        "The result of “{pairing}” in round {round} of the season “{season}” is disputed and waits for an organiser or "
        "a referee to decide it."
    ),
    "sudden_death_called": gettext_noop(
        "{season}: you are tied for the title “{title}”; those tied are {contenders}. Say by {at} that you are there; "
        "a sudden death decides it."
    ),
    "sudden_death_extended": gettext_noop(
        "{season}: the sudden death for the title “{title}” has one last date, {at}; those tied are {contenders}. Say "
        "that you are there."
    ),
}
"""Code -> template, as in stables.text.notices."""

SHORTER_OF_MATCHES: Mapping[str, Sequence[str]] = {
    "match_near": (
        gettext_noop(
            "{season}, round {round}: your match {pairing} begins {at}. How it is played: {mode}. Format: {format}. "
            "Arena: {arena}."
        ),
        gettext_noop(
            "{season}: your match {match} begins {at}. How it is played: {mode}. It may be played until {due}. "
            "Format: {format}. Arena: {arena}."
        ),
        gettext_noop(
            "{season}: your match {match} begins {at}. How it is played: {mode}. Format: {format}. Arena: {arena}."
        ),
        gettext_noop("{season}, round {round}: {pairing} has no date any more. It may be played until {due}."),
        gettext_noop("{season}, round {round}: {pairing} has no date any more."),
        gettext_noop("Your match in {season} is near: {match}."),
    ),
    "no_show_claimed": (
        gettext_noop(
            "{season}, round {round}: {stable} says that you did not come to {pairing}. Format: {format}. "
            "Arena: {arena}."
        ),
        gettext_noop(
            "{season}, round {round}: {stable} says that you did not come to {pairing}. The one new date is {date}."
        ),
        gettext_noop("{season}, round {round}: {stable} says that you did not come to {pairing}."),
        gettext_noop("{stable} says that you did not come to your match in {season}."),
    ),
    "no_show_choice": (
        gettext_noop("{season}, round {round}: {stable} did not come again to {pairing}. Choose what happens."),
        gettext_noop("{stable} did not come again to your match in {season}: choose what happens."),
    ),
    "report_disputed": (
        gettext_noop(
            "{season}, round {round}: the reports of {pairing} differ in {count} of what they say. See them side by "
            "side."
        ),
        gettext_noop(
            "The reports of your match in {season} differ in {count} of what they say. See them side by side."
        ),
    ),
    "ruling_wanted": (
        gettext_noop(
            "The result of “{pairing}” in the season “{season}” is disputed and waits for an organiser or a referee to "
            "decide it."
        ),
        gettext_noop(
            "A result in the season “{season}” is disputed and waits for an organiser or a referee to decide it."
        ),
    ),
    "sudden_death_called": (
        gettext_noop(
            "{season}: you are tied for the title “{title}”; those tied are {contenders}. Say that you are there; a "
            "sudden death decides it."
        ),
        gettext_noop(
            "{season}: you are tied for the title “{title}”. Say by {at} that you are there; a sudden death decides it."
        ),
        gettext_noop(
            "{season}: you are tied for the title “{title}”. Say that you are there; a sudden death decides it."
        ),
    ),
    "sudden_death_extended": (
        gettext_noop(
            "{season}: the sudden death for the title “{title}” has one last date, {at}. Say that you are there."
        ),
    ),
}
"""Code -> further templates, for what has no deadline or comes from an earlier version."""
