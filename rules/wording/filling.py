"""The filling of a sentence template: its `{name}` placeholders get their values, and no value can break it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rules.core.messages import Message, gettext_noop
from rules.wording.isolation import isolated
from rules.wording.language import STONES, Stones, Translate, identity

MISSING = "…"
"""The text for a parameter that a template names and the caller did not give."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def placeholders(template: str) -> tuple[str, ...]:
    """Return the names in braces, in order, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(template)))


def say(template: str, values: Mapping[str, Any], translate: Translate = identity) -> str:
    """Return a template in a language, with its placeholders filled. Never raises.

    A template that counts takes the form for its number; numbers are written as the language writes them.

    >>> from rules.core.messages import ngettext_noop
    >>> say(ngettext_noop("{count} click", "{count} clicks"), {"count": 2})
    '2 clicks'
    """
    return fill(form_of(template, values, translate), values, translate)


def form_of(template: str, values: Mapping[str, Any], translate: Translate) -> str:
    """Return a template in a language, in the form for the number that its values give; placeholders stay."""
    count = values.get(template.by) if isinstance(template, Message) and template.several else None
    return translate(template, count if _is_number(count) else None)


def fill(template: str, values: Mapping[str, Any], translate: Translate = identity) -> str:
    """Return the template with its placeholders replaced; one without a value shows an ellipsis. Never raises.

    Every value is isolated, so that a name turns no word around it.

    `str.format` is not used: a template of a translator with a stray brace must not break a page.

    >>> fill("{unit} moves to {hex}.", {"unit": "Hatchetman"})
    'Hatchetman moves to ….'
    """
    return _PLACEHOLDER.sub(
        lambda found: shown(values[found[1]], translate) if found[1] in values else MISSING, template
    )


def fitting(templates: Sequence[str], names: Iterable[str]) -> str:
    """Return the first template whose placeholders are all among `names`, or the first of all when there is none.

    >>> fitting(("{stable} is ready until {at}.", "{stable} is ready."), ["stable"])
    '{stable} is ready.'
    """
    known = set(names)
    return next((one for one in templates if known.issuperset(placeholders(one))), templates[0])


def known_names(values: Mapping[str, Any]) -> list[str]:
    """Return the names of the parameters that have a value, which None is not."""
    return [name for name, value in values.items() if value is not None]


def shown(value: Any, translate: Translate = identity) -> str:
    """Return a parameter as text: a number as the language writes it, Stones with their word, lists with commas.

    None and [] are a dash.

    >>> shown([Stones(1), Stones(50), 7, None])
    '1 Stone, 50 Stones, 7, –'
    """
    if isinstance(value, (list, tuple)):
        return ", ".join(shown(part, translate) for part in value) or "–"
    if isinstance(value, Stones):
        return say(STONES, {"count": int(value)}, translate)
    if _is_number(value):
        return translate.number(value)
    return "–" if value is None else isolated(str(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Fraction)) and not isinstance(value, bool)


def with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value of JSON with each text in it changed, however deep; keys and all other values stay.

    >>> with_texts({"names": ["ash", "birch"], "round": 2}, str.upper)
    {'names': ['ASH', 'BIRCH'], 'round': 2}
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: with_texts(each, change) for name, each in value.items()}
    return [with_texts(each, change) for each in value] if isinstance(value, list | tuple) else value


def joined(words: Iterable[str], translate: Translate) -> str:
    """Return several names in a row: one; one and other; one, other and last. Return "" for no names."""
    found = [isolated(word) for word in words]
    if len(found) < 2:
        return "".join(found)
    # Translators: {first} may be several names with commas
    return say(gettext_noop("{first} and {last}"), {"first": ", ".join(found[:-1]), "last": found[-1]}, translate)


def beginning(text: str) -> str:
    """Return a sentence with a capital at its beginning, where the word of a placeholder may stand.

    Pages do the same by `capfirst`. No other letter is ever changed.

    >>> beginning("light turret: it stands.")
    'Light turret: it stands.'
    """
    return text[:1].upper() + text[1:]


def one_of(words: Iterable[str], translate: Translate) -> str:
    """Return several choices in a row: one; one or other; one, other or last. Return "" for no choices."""
    found = [isolated(word) for word in words]
    if len(found) < 2:
        return "".join(found)
    # Translators: {first} may be several choices with commas
    return say(gettext_noop("{first} or {last}"), {"first": ", ".join(found[:-1]), "last": found[-1]}, translate)


def signed(amount: int) -> str:
    """Return +2, −1 (with a true minus sign), 0."""
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"
