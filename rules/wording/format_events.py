"""The lines of events that only some formats have: partners, flags, the fate of pilots, places."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.messages import gettext_noop

FORMAT_TEMPLATES: Mapping[str, str] = {
    "active_named": gettext_noop("{unit} begins; {waiting} waits."),
    "tagged": gettext_noop("{with} comes in for {unit}, facing {clock_with} o'clock."),
    "activated": gettext_noop("{unit} takes over for its fallen partner."),
    "flag_placed": gettext_noop("The flag of {side} stands in {hex}."),
    "flag_captured": gettext_noop("{unit} has the flag of {side}."),
    "place_rolled": gettext_noop("{side} rolls {die} for its place."),
    "places": gettext_noop("Places: {sides}."),
}
"""Kind -> template; `rules.wording.event_templates.TEMPLATES` includes them."""

FORMAT_BY_FIELD: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "repaired": (
        "by",
        {"None": gettext_noop("{unit} is repaired while it waits: its combat dial turns back from {from} to {to}.")},
    ),
    "flag_tried": (
        "success",
        {
            "True": gettext_noop("{unit} reaches for the flag of {side} and rolls {die}: success."),
            "False": gettext_noop("{unit} reaches for the flag of {side} and rolls {die}: failure."),
        },
    ),
    "flag_shaken": (
        "dropped",
        {
            "True": gettext_noop("{unit} rolls {die} and loses its flag."),
            "False": gettext_noop("{unit} rolls {die} and keeps its flag."),
        },
    ),
    "flag_dropped": (
        "cause",
        {
            "home": gettext_noop("{unit} puts the flag of {side} down at home in {hex}."),
            "gone": gettext_noop("{unit} leaves the flag of {side} behind in {hex}."),
            "": gettext_noop("The flag of {side} falls into {hex}."),
        },
    ),
    "pilot_fate": (
        "dead",
        {
            "True": gettext_noop("{unit}: a roll of {die} for its pilot, who dies."),
            "False": gettext_noop("{unit}: a roll of {die} for its pilot, who lives."),
        },
    ),
}
"""Kind -> a field and the template for each of its values; `rules.wording.event_templates.BY_FIELD` includes them."""

FLAG_AWARDS: Mapping[str, str] = {
    "own_flag_home": gettext_noop("{side} gains {points} reputation: its flag is at home."),
    "other_flag_home": gettext_noop("{side} gains {points} reputation: an opposing flag is in its home."),
    "own_flag_carried": gettext_noop("{side} gains {points} reputation: it carries its own flag."),
    "other_flag_carried": gettext_noop("{side} gains {points} reputation: it carries an opposing flag."),
}
"""Cause of a gain of reputation -> template."""
