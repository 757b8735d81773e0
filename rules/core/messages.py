"""Marks for translators: templates of sentences, with the forms and the context that a language may need.

A template stays the text that it is. What its language needs besides travels with it: the form for several, the
parameter that counts, the meaning of a word that has two.
"""

from __future__ import annotations


class Message(str):
    """A template in its own language; `several` is its form for all counts but 1, `context` tells its meaning.

    `by` names the parameter whose value chooses the form. All three are "" for a template that needs none.
    """

    several: str
    by: str
    context: str

    def __new__(cls, text: str, *, several: str = "", by: str = "", context: str = "") -> Message:
        message = super().__new__(cls, text)
        message.several, message.by, message.context = several, by, context
        return message


def gettext_noop(message: str) -> str:
    """Mark a template for the translators and return it unchanged."""
    return message


def ngettext_noop(one: str, several: str, by: str = "count") -> Message:
    """Mark a template with a form for one and a form for several; the parameter `by` chooses.

    >>> ngettext_noop("{count} click", "{count} clicks").several
    '{count} clicks'
    """
    return Message(one, several=several, by=by)


def pgettext_noop(context: str, message: str) -> Message:
    """Mark a template or word that means something else elsewhere; `context` says for translators which is meant.

    >>> pgettext_noop("order", "assault").context
    'order'
    """
    return Message(message, context=context)
