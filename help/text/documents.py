"""docs/rules.md, docs/rulings.md and docs/decisions.md as values. Pure functions from text; `books` reads the files."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"

IDENTIFIER = re.compile(r"\b(?:R-[A-Z]{3}-\d\d|Q-\d{2,3})\b")
"""A rule line or a ruling, as texts name them."""

_HEADING = re.compile(r"^(#{1,3}) +(.+?) *$")
_LINE = re.compile(r"^- \*{0,2}(R-([A-Z]{3})-\d\d)\*{0,2} +(.+)$")
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Line:
    """One rule: its id, such as R-MOV-02, and what it says in the inline Markdown of the file."""

    id: str
    text: str


@dataclass(frozen=True)
class Section:
    """Lines of a group under a heading of their own; the first section of a group has an empty title."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Group:
    """The rules that share three letters. `remark`: the file's own words about the whole group, if any."""

    key: str
    title: str
    remark: str
    sections: tuple[Section, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line for section in self.sections for line in section.lines)

    @property
    def slug(self) -> str:
        """The group's part of an address."""
        return self.key.lower()


@dataclass(frozen=True)
class Ruling:
    """One answer where the printed rules are silent."""

    id: str
    question: str
    answer: str
    reason: str


@dataclass(frozen=True)
class Chapter:
    """A table of a document under its heading. `paragraphs` stand before it; `rows` have as many cells as `head`."""

    title: str
    slug: str
    paragraphs: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rows that begin with the number of a ruling."""
        return tuple(Ruling(*row) for row in self.rows if len(row) == 4 and IDENTIFIER.fullmatch(row[0]))


def parse_rules(text: str) -> tuple[Group, ...]:
    """Return the groups of docs/rules.md in its order. What stands before the first heading of a group is left out."""
    groups: list[tuple[str, str, list[str], list[tuple[str, list[Line]]]]] = []
    for row in text.splitlines():
        heading, line = _HEADING.match(row), _LINE.match(row)
        if heading and len(heading[1]) == 2:
            key, _, title = heading[2].partition(" ")
            groups.append((key, title, [], [("", [])]))
        elif not groups:
            continue
        elif heading:
            groups[-1][3].append((heading[2], []))
        elif line:
            groups[-1][3][-1][1].append(Line(line[1], line[3]))
        elif row.strip():
            groups[-1][2].append(row.strip())
    return tuple(
        Group(key, title, " ".join(remarks), tuple(Section(name, tuple(lines)) for name, lines in sections if lines))
        for key, title, remarks, sections in groups
    )


def parse_chapters(text: str) -> tuple[Chapter, ...]:
    """Return the chapters of a document of tables. What stands before the first of them is left out."""
    found: list[tuple[str, list[str], list[tuple[str, ...]]]] = []
    for row in text.splitlines():
        heading = _HEADING.match(row)
        if heading and len(heading[1]) == 2:
            found.append((heading[2], [], []))
        elif not found or heading or not row.strip():
            continue
        elif row.startswith("|"):
            found[-1][2].append(cells(row))
        else:
            found[-1][1].append(row.strip())
    return tuple(
        Chapter(title, slug(title), (" ".join(told),) if told else (), rows[0] if rows else (), tuple(rows[2:]))
        for title, told, rows in found
    )


def cells(row: str) -> tuple[str, ...]:
    """Return the cells of one row of a Markdown table."""
    return tuple(cell.strip().replace("\\|", "|") for cell in _CELL.split(row.strip())[1:-1])


def slug(title: str) -> str:
    """Return a title as an anchor: lower case, with hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def identifiers(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the rules and rulings that texts name, in their order, each once."""
    return tuple(dict.fromkeys(found for text in texts for found in IDENTIFIER.findall(text)))


@dataclass(frozen=True)
class Books:
    """The three documents together, and who names whom."""

    groups: tuple[Group, ...]
    rulings: tuple[Chapter, ...]
    decisions: tuple[Chapter, ...]

    @cached_property
    def group_of(self) -> Mapping[str, Group]:
        """Key of a group -> group."""
        return {group.key: group for group in self.groups}

    @cached_property
    def lines(self) -> Mapping[str, Line]:
        """Id -> rule line."""
        return {line.id: line for group in self.groups for line in group.lines}

    @cached_property
    def answers(self) -> Mapping[str, Ruling]:
        """Id -> ruling."""
        return {ruling.id: ruling for chapter in self.rulings for ruling in chapter.rulings}

    def knows(self, identifier: str) -> bool:
        """Return whether a rule line or ruling of this id exists, and so has an anchor."""
        return identifier in self.lines or identifier in self.answers

    @cached_property
    def named_in(self) -> Mapping[str, tuple[str, ...]]:
        """Id -> the rule lines and rulings that name it, in order, itself left out."""
        found: dict[str, list[str]] = defaultdict(list)
        texts = [(line.id, line.text) for line in self.lines.values()]
        texts += [(each.id, f"{each.question} {each.answer} {each.reason}") for each in self.answers.values()]
        for source, text in texts:
            for identifier in identifiers([text]):
                if identifier != source:
                    found[identifier].append(source)
        return {identifier: tuple(sources) for identifier, sources in found.items()}

    @cached_property
    def decided_in(self) -> Mapping[str, tuple[str, ...]]:
        """Id -> the anchors of the decisions that name it, in order."""
        found: dict[str, list[str]] = defaultdict(list)
        for chapter in self.decisions:
            for number, row in enumerate(chapter.rows, 1):
                for identifier in identifiers(row):
                    found[identifier].append(row_anchor(chapter, number))
        return {identifier: tuple(anchors) for identifier, anchors in found.items()}


def row_anchor(chapter: Chapter, number: int) -> str:
    """Return the anchor of a chapter's row, counted from 1, such as `results-03`."""
    return f"{chapter.slug}-{number:02d}"


@lru_cache(maxsize=1)
def books() -> Books:
    """Return the documents that came with the site, read once a process; OSError when docs/ was not shipped."""
    rules, rulings, decisions = (
        (DOCS / name).read_text(encoding="utf-8") for name in ("rules.md", "rulings.md", "decisions.md")
    )
    return Books(parse_rules(rules), parse_chapters(rulings), parse_chapters(decisions))
