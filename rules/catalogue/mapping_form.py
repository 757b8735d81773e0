"""The form of a mapping that a person sends, and every way in which one differs from it.

The shipped mappings keep it too. Nothing in a mapping is a program: there are paths, words and names of parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.catalogue.documents import Document
from rules.catalogue.paths import LONGEST_PATH, steps_of
from rules.catalogue.problems import Findings, Problem
from rules.catalogue.vocabulary import DIAL_VALUES
from rules.core.words import DAMAGE_VALUES, HEAT_VALUES

MAPPING_SCHEMA = 1
"""Version of a mapping's form."""

FIELDS = (
    *("id", "set", "number", "name", "variant", "class", "rank", "statistics"),
    *("points", "front_arc", "rear_arc", "vent", "clicks"),
    *(f"{value}.{part}" for value in DAMAGE_VALUES for part in ("type", "targets", "range[0]", "range[1]")),
)
"""The fields of a unit that a mapping may fill."""

MOST_WORDS = 500
"""The most words of a table."""

MOST_LISTS = 20
"""The most paths of lists, and the most words of an `is`."""

_LONGEST_WORD = 200

_HEAD = {"mapping", "title", "about", "read", "group", "list", "only", "words", "fields", "dial", "heat"}
_SOURCE = {"at", "key", "set", "default", "words", "take", "before", "after", "lower", "as"}
_TAKES = ("letters", "digits", "number")

_Fault = tuple[str, str]
"""A place in the mapping and what is wrong there, in English for a person who writes mappings."""


def checked_mapping(document: Document) -> Mapping[str, Any]:
    """Return a mapping that has the form of one. Raises CatalogueError (mapping_wrong) with all its faults."""
    findings = Findings()
    findings.extend(
        Problem(document.file, None, None, None, place, "mapping_wrong", {"what": what})
        for place, what in _mapping(document.content)
    )
    findings.refuse()
    found: Mapping[str, Any] = document.content
    return found


def _mapping(content: Any) -> Iterator[_Fault]:
    if not isinstance(content, dict):
        yield "", "a mapping is an object"
        return
    dials = [part for part in ("dial", "heat") if part in content]
    yield from _keys("", content, _HEAD, ("mapping", "list", "fields", *(("dial", "heat") if dials else ())))
    if content.get("mapping") != MAPPING_SCHEMA or isinstance(content.get("mapping"), bool):
        yield "mapping", f"the version is {MAPPING_SCHEMA}"
    if content.get("read", "json") not in ("json", "csv"):
        yield "read", "json or csv"
    if not isinstance(content.get("group", ""), str):
        yield "group", "the heading of a column"
    for key in ("title", "about"):
        if not isinstance(content.get(key, ""), str):
            yield key, "a text"
    lists = content.get("list")
    for number, path in enumerate(lists if isinstance(lists, list) else [lists]):
        yield from _path(f"list[{number}]" if isinstance(lists, list) else "list", path)
    if isinstance(lists, list) and not 1 <= len(lists) <= MOST_LISTS:
        yield "list", f"1 to {MOST_LISTS} paths"
    yield from _one_of("only", content.get("only"))
    yield from _words("words", content.get("words"))
    yield from _sources("fields", content.get("fields"), FIELDS)
    if dials:
        yield from _dial("dial", content.get("dial"), DIAL_VALUES, {"equipment", "repair_marker"})
        yield from _dial("heat", content.get("heat"), HEAT_VALUES, {"colours", "shutdown"})


def _dial(place: str, rules: Any, values: tuple[str, ...], more: set[str]) -> Iterator[_Fault]:
    if not isinstance(rules, dict):
        yield place, "an object"
        return
    yield from _keys(place, rules, {"list", "only", "values"} | more, ("values",))
    for key in ("list", "shutdown"):
        if key in rules:
            yield from _path(f"{place}.{key}", rules[key])
    yield from _one_of(f"{place}.only", rules.get("only"))
    yield from _sources(f"{place}.values", rules.get("values"), values)
    if "colours" in rules:
        yield from _sources(f"{place}.colours", rules["colours"], values, has_set=False)
    if "equipment" in rules:
        yield from _sources(f"{place}.equipment", rules["equipment"], values, has_set=False, has_circle=True)
    if "repair_marker" in rules:
        yield from _one_of(f"{place}.repair_marker", rules["repair_marker"])


def _sources(
    place: str, sources: Any, names: tuple[str, ...], *, has_set: bool = True, has_circle: bool = False
) -> Iterator[_Fault]:
    if not isinstance(sources, dict):
        yield place, "an object"
        return
    for name, source in sources.items():
        here = f"{place}.{name[:60]}"
        if name not in names:
            yield here, f"not one of {', '.join(names)}"
        elif not isinstance(source, dict):
            yield here, "an object with at, key or set"
        else:
            yield from _source(here, source, _SOURCE | {"circle"} if has_circle else _SOURCE, has_set=has_set)


def _source(place: str, source: dict[str, Any], known: set[str], *, has_set: bool) -> Iterator[_Fault]:
    yield from _keys(place, source, known, ())
    given = [key for key in ("at", "key", "set") if key in source]
    if len(given) != 1 or (given == ["set"] and not has_set):
        yield place, "needs one of at, key and set" if has_set else "needs at or key"
    for key in ("at", "key"):
        if key in source:
            yield from _path(f"{place}.{key}", source[key])
    for key in ("set", "default"):
        if key in source and not _is_plain(source[key]):
            yield f"{place}.{key}", "a text, a number, true or false"
    for key in ("before", "after"):
        if key in source and not (isinstance(source[key], str) and 1 <= len(source[key]) <= _LONGEST_WORD):
            yield f"{place}.{key}", "a text"
    if "take" in source and source["take"] not in _TAKES:
        yield f"{place}.take", f"one of {', '.join(_TAKES)}"
    if "as" in source and source["as"] != "integer":
        yield f"{place}.as", "integer"
    if not isinstance(source.get("lower", False), bool):
        yield f"{place}.lower", "true or false"
    yield from _words(f"{place}.words", source.get("words"))
    if "circle" in source:
        yield from _one_of(f"{place}.circle", source["circle"])


def _one_of(place: str, rule: Any) -> Iterator[_Fault]:
    if rule is None:
        return
    if not isinstance(rule, dict):
        yield place, "an object with at and is"
        return
    yield from _keys(place, rule, {"at", "is", "words"}, ("at", "is"))
    if "at" in rule:
        yield from _path(f"{place}.at", rule["at"])
    wanted = rule.get("is")
    if "is" in rule and not (
        isinstance(wanted, list) and 1 <= len(wanted) <= MOST_LISTS and all(_is_plain(one) for one in wanted)
    ):
        yield f"{place}.is", f"a list of 1 to {MOST_LISTS} words"
    yield from _words(f"{place}.words", rule.get("words"))


def _words(place: str, table: Any) -> Iterator[_Fault]:
    if table is None:
        return
    if not isinstance(table, dict) or len(table) > MOST_WORDS:
        yield place, f"an object of at most {MOST_WORDS} words"
        return
    for word, meant in table.items():
        if len(word) > _LONGEST_WORD or not (meant is None or _is_plain(meant)):
            yield f"{place}.{word[:60]}", "a text, a number, true, false or null"


def _path(place: str, path: Any) -> Iterator[_Fault]:
    if not isinstance(path, str) or len(path) > LONGEST_PATH:
        yield place, "a path"
        return
    try:
        steps_of(path)
    except ValueError:
        yield place, f"“{path[:60]}” is no path such as weapons[0].range or dial[row]"


def _keys(place: str, found: dict[str, Any], known: set[str], needed: tuple[str, ...]) -> Iterator[_Fault]:
    for key in found:
        if key not in known:
            yield f"{place}.{key[:60]}".lstrip("."), f"not one of {', '.join(sorted(known))}"
    for key in needed:
        if key not in found:
            yield f"{place}.{key}".lstrip("."), "is missing"


def _is_plain(value: Any) -> bool:
    return isinstance(value, bool | int) or (isinstance(value, str) and len(value) <= _LONGEST_WORD)
