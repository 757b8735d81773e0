"""A complete answer as an act in one line, for the button that commits it: "Fire at Raven, 62 %"."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.presenters.previews import Preview
from rules.competition.narrowing import FACINGS, NONE, Narrowing, describe

ATTACKS: dict[str, str | Promise] = {
    "ranged": _("Fire at %(targets)s"),
    "close": _("Strike %(targets)s"),
    "charge": _("Charge %(targets)s"),
    "assault": _("Assault %(targets)s"),
    "death_from_above": _("Jump onto %(targets)s"),
}
_AIDS: dict[str, str | Promise] = {
    "repair": _("Repair %(targets)s"),
    "coolant_flush": _("Coolant Flush for %(targets)s"),
}
_WAYS: dict[str, str | Promise] = {
    "walk": _("Walk to %(hex)s"),
    "run": _("Run to %(hex)s"),
    "jump": _("Jump to %(hex)s"),
}
_CHOICES: dict[str, str | Promise] = {
    "hex": _("hex %(label)s"),
    "facing": _("facing %(label)s"),
    "card": _("play %(label)s"),
    "active": _("begin with %(label)s"),
    "with": _("change with %(label)s"),
}

Label = Callable[[str, str], str]
"""A function from a question and a word to the word's label."""


def act_of(found: Narrowing, preview: Preview, origin: str, label: Label) -> str:
    """Return the act that a complete answer is, with the chance to hit each target of an attack.

    `origin` is the hex of its unit. An answer that is neither an attack nor a move is named by what was chosen.
    """
    assert found.action is not None
    words = describe(found.action, origin)
    if preview.attack is not None and "order" in found.action:
        return _attack(preview)
    if preview.path:
        return str(_WAYS[words.get("mode", "walk")]) % {"hex": words["hex"]}
    if words.get("order") == "move":
        return gettext("Turn to %(clock)s") % {"clock": label("facing", words["facing"])}
    return _choice(found, words, label)


def _attack(preview: Preview) -> str:
    assert preview.attack is not None
    assert preview.forecast is not None
    targets = gettext(" and ").join(
        gettext("%(name)s, %(chance)s %%") % {"name": target.name, "chance": target.chance}
        for target in preview.attack.targets
    )
    aid = preview.forecast.aid
    form = _AIDS[aid] if aid else ATTACKS[preview.forecast.order]
    return str(form) % {"targets": targets}


def _choice(found: Narrowing, words: Mapping[str, str], label: Label) -> str:
    """Return everything that was chosen; a name alone does not say what becomes of it."""
    asked = {step.key for step in found.steps if not step.is_default or step.key in FACINGS}
    said = [key for key in words if key in asked] or list(words)[:1]
    forms = {key: str(_CHOICES.get(key, "%(label)s")) if words[key] != NONE else "%(label)s" for key in said}
    text = gettext(", ").join(form % {"label": label(key, words[key])} for key, form in forms.items())
    return text[:1].upper() + text[1:]
