"""What an entry of a turn says, in the words of its tile: for claims, for the last row, for the end of the turn."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from challenge.forms.feats import TILES
from rules.challenge.entries import Entry
from rules.challenge.state import Event
from web.languages.reader import translate

_NAMES = {
    "enter": gettext_noop("enters the arena"),
    "initiative": gettext_noop("order of initiative"),
    "cripple": gettext_noop("crippled"),
    "kill": gettext_noop("destroyed"),
    "end_turn": gettext_noop("end of the turn"),
    "token": gettext_noop("token of an ability"),
}


def called(state: Event, name: str | None) -> str:
    """Return how a pilot is called at the table: the number of their card, then their name."""
    pilot = state.pilots.get(name or "")
    return f"{pilot.card} {pilot.id}" if pilot is not None and pilot.card is not None else name or ""


def deed_name(entry: Entry) -> str:
    """Return what was done, without who and at whom."""
    facts = entry.facts
    if entry.what == "damage":
        amount = facts.get("band", "").replace("-", "–") or facts.get("points", 0)
        said = _("{points} damage in one place") if facts.get("one_location") else _("{points} damage")
        return said.format(points=amount)
    if entry.what == "sustained":
        return _("took {points} damage").format(points=facts["points"])
    for value in (
        f"{entry.what}.{facts.get('part', '')}",
        *(f"{entry.what}.{fact}" for fact in ("push", "automatic", "early", "hit") if facts.get(fact)),
        f"{entry.what}.missed" if facts.get("hit") is False else "",
        entry.what,
    ):
        if value in TILES:
            return str(TILES[value].name)
    return translate(_NAMES.get(entry.what, entry.what))


def deed_text(state: Event, entry: Entry) -> str:
    """Return a line for an entry: who, what, at whom."""
    who = ", ".join(called(state, name) for name in entry.by)
    what, at = deed_name(entry), called(state, entry.at)
    if entry.at is None:
        return f"{who}: {what}" if who else what
    if not who or entry.by == (entry.at,):
        return f"{at}: {what}"
    return f"{who} → {at}: {what}"
