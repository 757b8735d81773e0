"""MegaMek's list of a force (.mul, XML): the names of its 'Mechs. It knows neither tons nor costs."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from rules.challenge.mech_files.names import letters_of
from rules.challenge.mech_files.reading import LARGEST_TABLE, MOST_MECHS, Unreadable, name_of

_MECHS = ("mek", "mech", "battlemek", "battlemech", "biped", "quad")


def read_force(data: bytes) -> list[str]:
    """Return the names of the 'Mechs of a force, each once.

    A document that declares a type or entities is refused: nothing is fetched, and nothing grows. Raises Unreadable
    (too_large, bad_xml, doctype, no_name, name_too_long, too_many).
    """
    if len(data) > LARGEST_TABLE:
        raise Unreadable("too_large")
    found: dict[str, None] = {}

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if tag.casefold() != "entity" or not letters_of(attributes.get("type", "mek")).startswith(_MECHS):
            return
        found[name_of(attributes.get("chassis", ""), attributes.get("model", ""))] = None
        if len(found) > MOST_MECHS:
            raise Unreadable("too_many")

    def refuse(*_: Any) -> int:
        raise Unreadable("doctype")

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError) as fault:
        raise Unreadable("bad_xml") from fault
    return list(found)
