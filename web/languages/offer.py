"""The languages that the site speaks, and the rooms in which it speaks them, from languages.toml.

A room is a folder at the root of the project. What people read belongs to the room whose module answers them. English
is finished everywhere. A language is offered when it has at least one finished room.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.utils import translation
from django.utils.text import capfirst
from django.utils.translation.trans_real import parse_accept_lang_header

PATH = Path(__file__).resolve().parents[2] / "languages.toml"
ENGLISH = "en"
LONGEST_CODE = 10
"""The longest code of a language that fields of the database take."""
FRAME = "web"
"""The room of what every page shares, and of pages that are no room's own."""
_ELSEWHERE = {"registration": "people", "solaris_site": FRAME, "commands": FRAME}


@dataclass(frozen=True)
class Language:
    """A language: its code, its name in itself, the sentence above pages without a translation, its finished rooms.

    `rooms` is None for English, which is finished everywhere.
    """

    code: str
    name: str
    not_yet: str
    rooms: frozenset[str] | None

    @property
    def is_offered(self) -> bool:
        """Whether people can choose the language."""
        return self.rooms is None or bool(self.rooms)

    def speaks_in(self, room: str) -> bool:
        """Return whether the language is finished in a room."""
        return self.rooms is None or room in self.rooms


@cache
def known() -> Mapping[str, Language]:
    """Return all languages by code, English first. Raises KeyError for a language without one of its three values."""
    with PATH.open("rb") as file:
        listed = tomllib.load(file)
    found = {ENGLISH: Language(ENGLISH, "English", "", None)}
    for code, facts in listed.items():
        found[code] = Language(code, facts["name"], facts["not_yet"], frozenset(facts["rooms"]))
    return found


def offered() -> tuple[Language, ...]:
    """Return the languages that people can choose, English first."""
    return tuple(language for language in known().values() if language.is_offered)


def choices() -> list[tuple[str, str]]:
    """Return the offered languages for a form field: their codes and names in themselves, capital letters first."""
    return [(language.code, capfirst(language.name)) for language in offered()]


def is_offered(code: str) -> bool:
    """Return whether people can choose the language of a code; False for a code that nobody knows."""
    return code in known() and known()[code].is_offered


def is_named(accepted: str) -> bool:
    """Return whether a header Accept-Language names a language, offered or not."""
    return any(code != "*" for code, _ in parse_accept_lang_header(accepted))


def preferred(*codes: str, accepted: str = "") -> str:
    """Return the first offered language of `codes`, otherwise the best that a browser accepts, otherwise English.

    `accepted` is the header Accept-Language. A regional form, such as de-AT, counts as its language.
    """
    for code in (*codes, *(code for code, _ in parse_accept_lang_header(accepted))):
        for form in (code, code.partition("-")[0]):
            if is_offered(form):
                return form
    return ENGLISH


def spoken(code: str, *rooms: str) -> str:
    """Return the language for a reader who chose `code`: it, where it is offered and finished in all `rooms`.

    English otherwise.
    """
    is_spoken = is_offered(code) and all(known()[code].speaks_in(room) for room in rooms)
    return code if is_spoken else ENGLISH


def wanted_by(request: Any) -> str:
    """Return the language of the reader of a request, which LanguageMiddleware of people.middleware has found.

    The page may be in English all the same (`spoken`).
    """
    return str(getattr(request, "wanted_language", ENGLISH))


def speak_unasked(request: Any, code: str, room: str) -> None:
    """Answer in the language of a thing that is shown where a request names none, as those for previews of links do.

    `code` is "" for a thing without a language. The language must be finished in the room.
    """
    language = spoken(code, room)
    if code and language == code and not getattr(request, "names_language", True):
        translation.activate(language)
        request.wanted_language = request.LANGUAGE_CODE = language


def room_of_module(module: str) -> str:
    """Return the room of what a module shows, by its dotted name, such as "stables" for stables.views.season."""
    first = module.partition(".")[0]
    return _ELSEWHERE.get(first, first)


def room_of_view(view: Callable[..., Any]) -> str:
    """Return the room of a page by the function that answers its address."""
    return room_of_module(view.__module__)


def room_of_file(path: str) -> str:
    """Return the room of the texts in a source file, by its path from the root of the project; `make languages` asks.

    A template belongs to the room of its folder; one that several rooms share belongs to FRAME.
    """
    parts = path.removeprefix("./").split("/")
    if parts[0] != "templates":
        return room_of_module(parts[0])
    is_of_a_room = len(parts) > 2 and (PATH.parent / parts[1]).is_dir()
    return _ELSEWHERE.get(parts[1], parts[1] if is_of_a_room else FRAME)
