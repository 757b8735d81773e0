"""The kinds of news that a webhook can get, in groups for people who choose among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from stables.text.log import SENTENCES, log_sentence

_GROUPS: Mapping[str, tuple[str | Promise, tuple[str, ...]]] = {
    "matches": (
        _("Rounds and matches"),
        ("round_", "match_", "cycle_closed", "cycle_dropped", "unique_shared_", "pilot_died"),
    ),
    "results": (_("Reports, rulings, corrections"), ("report_", "result_", "debt_waived")),
    "titles": (_("Titles and sudden deaths"), ("title_", "sudden_death_")),
    "dates": (
        _("Dates, and who did not come"),
        ("coming_", "date_", "deadline_", "calendar_", "mode_", "proposal_", "fixture_", "no_show_"),
    ),
    "stables": (
        _("Stables and programs"),
        ("stable_", "cycle_", "basket_", "sponsor_", "hand_over_", "program_"),
    ),
    "season": (
        _("The season itself"),
        ("season_", "settings_", "visibility_", "role_", "invitation_", "place_", "waiting_"),
    ),
}
"""Group -> its name, and the prefixes of its codes. A code is in the first group with a prefix that fits, or OTHERS."""
OTHERS = "season"


@dataclass(frozen=True)
class Kind:
    """One kind of news: its code in the log, and its sentence with ellipses for the parameters."""

    code: str
    label: str


@dataclass(frozen=True)
class Group:
    """Kinds of news that people choose among."""

    key: str
    label: str
    kinds: tuple[Kind, ...]


def group_of(code: str) -> str:
    """Return the group that a code is in."""
    return next((key for key, (_name, begins) in _GROUPS.items() if code.startswith(begins)), OTHERS)


def groups() -> list[Group]:
    """Return all groups with their kinds, in the reader's language."""
    return [
        Group(key, str(name), tuple(Kind(code, log_sentence(code, {})) for code in SENTENCES if group_of(code) == key))
        for key, (name, _begins) in _GROUPS.items()
    ]


def all_codes() -> list[str]:
    """Return every code of the log, sorted."""
    return sorted(SENTENCES)


def tidy(codes: Iterable[str]) -> list[str]:
    """Return codes sorted, each once; unknown ones are left out."""
    return sorted(set(codes) & set(SENTENCES))
