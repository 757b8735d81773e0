"""Notices, which people read on their own page and in mails: each app registers its codes, with a sentence for each.

    notices.register(SENTENCES, room="stables", at_once={"reports": NAMES_ME}, words={"at": worded_moment})

AppConfig.ready calls it.

A code says what happened; its sentence has the parameters as placeholders. The service that makes it happen calls
`notify` (people.services.accounts) with the code and these parameters, for the people whom it concerns. `at_once` maps
a kind of mail (people.services.mails) to the codes that it sends at once to people who chose that kind. `words` maps
the name of a parameter to the function that words its value for the reader, such as a time for their own time zone.

A notice that comes to people who never asked for it has every name in quotation marks: “{season}”. Strangers choose
names, so such a name can neither end the quotation nor be a link (`quoted`). Where only some readers of a code never
asked, their notices have the parameter UNASKED, and `notice_sentence` sets the quotation marks. In mails nothing that
people wrote is a link, whoever asked for what: an organiser may make anybody the owner of a stable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from rules.core.messages import gettext_noop
from rules.wording.filling import MISSING, fill, fitting, form_of, known_names, say, shown, with_texts
from rules.wording.language import Translate, identity
from web.moments import worded_moment

Words = Callable[[Any], Any]

OF_ACCOUNTS: Mapping[str, str] = {
    "token_made": gettext_noop(
        "A token named {name} was made for your account, good until {until}. If it was not you, revoke it and change "
        "your password."
    ),
    "password_changed": gettext_noop("The password of your account was changed."),
    "browser_dropped": gettext_noop(
        "A browser of yours gets no messages any more: they do not arrive there. Switch them on again in it if you "
        "want them."
    ),
    "email_changed": gettext_noop("The e-mail address of your account is not {before} any more."),
}

UNASKED = "unasked"
"""The parameter, True, of a notice whose reader never asked for it, though others who get the same code did."""

_QUOTED = re.compile(r"“\{(\w+)\}”")
_BARE = re.compile(r"(?<![“„«‟])\{(\w+)\}")
_QUOTATION_MARKS = re.compile('[“”„‟«»"]')
_LINK = re.compile(r"\S*(?:://|@|\w\.[^\W\d_]{2})\S*")
"""A word that a mail program makes a link of."""

LINKS_STAY = frozenset({"host"})
"""Parameters that hold no words of people, so that mails have them whole."""

MARKS = gettext_noop("“{text}”")
"""The quotation marks of the reader's language around a text that somebody chose."""

UNKNOWN = gettext_noop("Something happened ({code}).")

WITH_REASON = gettext_noop("{said} The reason: {reason}")
"""How a sentence goes on whose act may have a reason, if it has one."""

_sentences: dict[str, str] = dict(OF_ACCOUNTS)
_shorter: dict[str, Sequence[str]] = {}
_kinds: dict[str, str] = {}
_topics: dict[str, str] = dict.fromkeys(OF_ACCOUNTS, "account")
_rooms: dict[str, str] = {}
_asks: dict[str, str] = {}
_happens: dict[str, str] = {}
_may_have_reason: set[str] = set()
_words: dict[str, Mapping[str, Words]] = {"token_made": {"until": worded_moment}}


def register(
    sentences: Mapping[str, str],
    at_once: Mapping[str, Iterable[str]] | None = None,
    *,
    room: str,
    shorter: Mapping[str, Sequence[str]] | None = None,
    words: Mapping[str, Words] | None = None,
    topics: Mapping[str, Iterable[str]] | None = None,
    asks: Mapping[str, str] | None = None,
    happens: Mapping[str, str] | None = None,
    may_have_reason: Iterable[str] = (),
) -> None:
    """Add the codes of an app, with words in `room`.

    `shorter` has further templates of a code, for notices that lack some of the parameters: those that earlier versions
    wrote, and those without a deadline. `topics` maps a topic of the digest (people.text.digests) to its codes.
    `asks` has the codes that ask the person for an act, each with the name of the parameter that says until when, ""
    for none. `happens` has others with the parameter that says when what they announce happens. `may_have_reason` are
    the codes whose sentence goes on with the parameter `reason`, if they have it. Raises ValueError for a code that
    another app words otherwise.
    """
    taken = [code for code, sentence in sentences.items() if _sentences.get(code, sentence) != sentence]
    if taken:
        raise ValueError(f"Two apps want the notices {taken}.")
    _sentences.update(sentences)
    _rooms.update(dict.fromkeys(sentences, room))
    _shorter.update(shorter or {})
    _words.update(dict.fromkeys(sentences, words or {}))
    _asks.update(asks or {})
    _happens.update(happens or {})
    _may_have_reason.update(may_have_reason)
    _topics.update({code: topic for topic, codes in (topics or {}).items() for code in codes})
    _kinds.update({code: kind for kind, codes in (at_once or {}).items() for code in codes})


def sentences() -> Mapping[str, str]:
    """Return the template of every code: those of accounts, and those that apps have registered."""
    return _sentences


def kind_of(code: str) -> str | None:
    """Return the kind of mail that sends a notice at once; None for a notice that waits for the digest."""
    return _kinds.get(code)


def room_of(code: str) -> str:
    """Return the room of the words of a code (web.languages.offer); "people" for those of accounts and unknown ones."""
    return _rooms.get(code, "people")


def topic_of(code: str) -> str:
    """Return the topic of a code in the digest, "" for a code without one."""
    return _topics.get(code, "")


def asks(code: str) -> bool:
    """Return whether a notice of this code asks the person for an act; all others only say what happened."""
    return code in _asks


def deadline_name(code: str) -> str:
    """Return the parameter that says until when a notice of this code asks for its act, "" for none."""
    return _asks.get(code, "")


def deadline_of(code: str, parameters: Mapping[str, Any]) -> datetime | None:
    """Return until when a notice asks for its act, or when what it announces happens; None without a time."""
    name = deadline_name(code) or _happens.get(code, "")
    value = parameters.get(name) if name else None
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    # Only a time with a zone is the same moment for everybody.
    return moment if moment is not None and moment.tzinfo is not None else None


def codes_of(kind: str) -> list[str]:
    """Return the codes of notices that a kind of mail sends at once; [] for the digest."""
    return [code for code, own in _kinds.items() if own == kind]


def notice_sentence(
    code: str, parameters: Mapping[str, Any], translate: Translate = identity, *, for_mail: bool = False
) -> str:
    """Return the sentence of a notice. It never raises: notices stay for years and outlive their codes.

    Times are in the current time zone. A missing parameter shows as an ellipsis. For an unknown code, return a general
    sentence that names the code. With `for_mail`, a link that people wrote shows as an ellipsis too; with UNASKED
    every text that somebody chose is in quotation marks.
    """
    if code not in _sentences:
        return say(UNKNOWN, {"code": code}, translate)
    template, words = fitting(templates(code), known_names(parameters)), _words.get(code, {})
    values = {name: words[name](value) if name in words else value for name, value in parameters.items()}
    is_unasked = parameters.get(UNASKED) is True
    # A text that no function words differently is one that a person chose, such as a name.
    worded = {name for name, value in parameters.items() if not isinstance(value, str) or values[name] != value}
    chosen = parameters.keys() - worded if is_unasked else set()
    if is_unasked or (for_mail and code not in OF_ACCOUNTS):
        # Only now: words of other parameters have names in them, and keys such as "calendar.market" look like links.
        values = {name: value if name in LINKS_STAY else without_links(value) for name, value in values.items()}
    values |= {name: quoted(values[name]) for name in chosen}
    in_quotation_marks = _QUOTED.findall(_with_marks(template, chosen, identity))
    values |= {name: quoted(values[name]) for name in in_quotation_marks if name in values}
    said = fill(_with_marks(form_of(template, values, translate), chosen, translate), values, translate)
    if code in _may_have_reason and values.get("reason"):
        with_reason = _with_marks(translate(WITH_REASON), chosen, translate)
        return fill(with_reason, {"said": said, "reason": values["reason"]}, translate)
    return said


def _with_marks(template: str, chosen: Collection[str], translate: Translate) -> str:
    """Return a template with quotation marks around the parameters in `chosen` that have none."""
    marks = translate(MARKS)
    return _BARE.sub(lambda found: marks.replace("{text}", found[0]) if found[1] in chosen else found[0], template)


def templates(code: str) -> tuple[str, ...]:
    """Return the templates of a known code, the one with the most parameters first."""
    return (_sentences[code], *_shorter.get(code, ()))


def quoted(value: Any) -> str:
    """Return a stranger's text for a place between quotation marks: without such marks, and links as an ellipsis."""
    return str(without_links(_QUOTATION_MARKS.sub("", shown(value))))


def without_links(value: Any) -> Any:
    """Return a parameter with an ellipsis for each word in its texts that a mail program would make a link of."""
    return with_texts(value, lambda text: _LINK.sub(MISSING, text))
