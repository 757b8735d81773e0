"""The contents of docs/rules.md, docs/rulings.md and docs/decisions.md, and of docs/challenge-rules.md and
docs/challenge-rulings.md. Pure functions parse their text, and `books` reads the files.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt

DOCS = Path(__file__).resolve().parents[2] / "docs"

IDENTIFIER = re.compile(r"\b(?:R-[A-Z]{3}-\d\d|Q-\d{2,3}|MCQ?-[A-Z]{2,6}-\d\d)\b")
"""The id of a rule or a ruling in a text; those of the Melee Challenge begin with MC- and MCQ-."""

_PARSER = MarkdownIt("zero").enable(["heading", "list", "table"])


@dataclass(frozen=True)
class Line:
    """One rule: its id, such as R-MOV-02, and its text in the inline Markdown of the file."""

    id: str
    text: str


@dataclass(frozen=True)
class Section:
    """The lines of a group under one heading; the first section of a group has an empty title."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Group:
    """The rules whose ids share three letters (`key`). `remark` is the file's text about all of them, "" for none."""

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
    """One answer to a question that the printed rules leave open."""

    id: str
    question: str
    answer: str
    reason: str


@dataclass(frozen=True)
class Chapter:
    """A heading of a document, its paragraphs, and the rows of its table without the head."""

    title: str
    slug: str
    paragraphs: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rows that are rulings: those of four cells whose first is an id."""
        return tuple(Ruling(*row) for row in self.rows if len(row) == 4 and IDENTIFIER.fullmatch(row[0]))


def parse_rules(text: str) -> tuple[Group, ...]:
    """Return the groups of docs/rules.md in their order. The text before the first group is left out."""
    return tuple(_group(*chapter) for chapter in _chapters(text))


def _group(heading: str, parts: list[tuple[str, str]]) -> Group:
    key, _, title = heading.partition(" ")
    remark = " ".join(words for kind, words in parts if kind == "p")
    sections: list[tuple[str, list[Line]]] = [("", [])]
    for kind, words in parts:
        if kind == "h3":
            sections.append((words, []))
        elif kind == "li":
            sections[-1][1].append(Line(*words.split(" ", 1)))
    return Group(key, title, remark, tuple(Section(name, tuple(lines)) for name, lines in sections if lines))


def parse_challenge(text: str) -> tuple[Group, ...]:
    """Return the chapters of a document of the Melee Challenge. Items of lists, and rows of tables, that begin with an
    id are lines.
    """
    found = []
    for heading, parts in _chapters(text):
        lines = [Line(*words.split(" ", 1)) for kind, words in parts if kind == "li" and IDENTIFIER.match(words)]
        chapter = _chapter(heading, parts)
        head = [words for kind, words in parts if kind == "th"]
        for row in chapter.rows:
            told = [f"{name}: {cell}" for name, cell in zip(head[2:], row[2:], strict=True) if cell != "-"]
            lines.append(Line(row[0], "; ".join([row[1], *told])))
        remark = " ".join(chapter.paragraphs)
        found.append(Group(chapter.slug, heading, remark, (Section("", tuple(lines)),)))
    return tuple(found)


def parse_chapters(text: str) -> tuple[Chapter, ...]:
    """Return the chapters of a document of tables. The text before the first chapter is left out."""
    return tuple(_chapter(*chapter) for chapter in _chapters(text))


def _chapter(title: str, parts: list[tuple[str, str]]) -> Chapter:
    paragraphs, head, cells = (tuple(words for kind, words in parts if kind == wanted) for wanted in ("p", "th", "td"))
    rows = tuple(cells[start : start + len(head)] for start in range(0, len(cells), len(head) or 1))
    return Chapter(title, slug(title), paragraphs, rows)


def _chapters(text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each heading of the second level with the elements below it: tag, and inline Markdown on one line."""
    chapters: list[tuple[str, list[tuple[str, str]]]] = []
    for opening, token in pairwise(_PARSER.parse(text)):
        words = token.content.replace("\n", " ")
        if token.type == "inline" and opening.tag == "h2":
            chapters.append((words, []))
        elif token.type == "inline" and chapters:
            in_list = opening.tag == "p" and opening.level > 0
            chapters[-1][1].append(("li" if in_list else opening.tag, words))
    return chapters


def slug(title: str) -> str:
    """Return a title as an anchor: lower case, with hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def identifiers(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of rules and rulings in texts, in order of their first place, each once."""
    return tuple(dict.fromkeys(found for text in texts for found in IDENTIFIER.findall(text)))


@dataclass(frozen=True)
class Books:
    """The documents together, and where they name each rule and ruling."""

    groups: tuple[Group, ...]
    rulings: tuple[Chapter, ...]
    decisions: tuple[Chapter, ...]
    challenge: tuple[Group, ...] = ()
    """The rules of the Melee Challenge, chapter by chapter."""
    challenge_rulings: tuple[Group, ...] = ()

    @cached_property
    def lines(self) -> Mapping[str, Line]:
        """Id -> rule line."""
        return {line.id: line for group in self.groups for line in group.lines}

    @cached_property
    def answers(self) -> Mapping[str, Ruling]:
        """Id -> ruling."""
        return {ruling.id: ruling for chapter in self.rulings for ruling in chapter.rulings}

    @cached_property
    def challenge_lines(self) -> Mapping[str, Line]:
        """Id -> rule or ruling of the Melee Challenge."""
        return {line.id: line for group in (*self.challenge, *self.challenge_rulings) for line in group.lines}

    def knows(self, identifier: str) -> bool:
        """Return whether a rule or ruling has this id."""
        return any(identifier in known for known in (self.lines, self.answers, self.challenge_lines))

    @cached_property
    def named_in(self) -> Mapping[str, tuple[str, ...]]:
        """Id -> the ids of the other rules and rulings that name it, in the order of the documents."""
        found: dict[str, list[str]] = defaultdict(list)
        texts = [(line.id, line.text) for line in (*self.lines.values(), *self.challenge_lines.values())]
        texts += [(each.id, f"{each.question} {each.answer} {each.reason}") for each in self.answers.values()]
        for source, text in texts:
            for identifier in identifiers([text]):
                if identifier != source:
                    found[identifier].append(source)
        return {identifier: tuple(sources) for identifier, sources in found.items()}

    @cached_property
    def decided_in(self) -> Mapping[str, tuple[str, ...]]:
        """Id -> the anchors of the rows in docs/decisions.md that name it, in order."""
        found: dict[str, list[str]] = defaultdict(list)
        for chapter in self.decisions:
            for number, row in enumerate(chapter.rows, 1):
                for identifier in identifiers(row):
                    found[identifier].append(row_anchor(chapter, number))
        return {identifier: tuple(anchors) for identifier, anchors in found.items()}


def texts_to_translate(known: Books) -> dict[str, str]:
    """Return each text of the rules and rulings that readers have in their own language -> the document it stands in.

    Decisions stay English.
    """
    found: dict[str, str] = {}
    groups = (
        ("docs/rules.md", known.groups),
        ("docs/challenge-rules.md", known.challenge),
        ("docs/challenge-rulings.md", known.challenge_rulings),
    )
    for document, parts in groups:
        for group in parts:
            titles = (section.title for section in group.sections)
            found |= dict.fromkeys((group.title, group.remark, *titles, *(line.text for line in group.lines)), document)
    for chapter in known.rulings:
        cells = (cell for row in chapter.rows for cell in (row[1:] if chapter.rulings else row))
        found |= dict.fromkeys((chapter.title, *chapter.paragraphs, *cells), "docs/rulings.md")
    return {text: document for text, document in found.items() if any(map(str.isalpha, text))}


def row_anchor(chapter: Chapter, number: int) -> str:
    """Return the anchor of a chapter's row, counted from 1, such as `results-03`."""
    return f"{chapter.slug}-{number:02d}"


@lru_cache(maxsize=1)
def books() -> Books:
    """Return the documents that came with the site, read once in each process. Raises OSError when docs/ was not
    shipped.
    """
    rules, rulings, decisions, challenge, challenge_rulings = (
        (DOCS / f"{name}.md").read_text(encoding="utf-8")
        for name in ("rules", "rulings", "decisions", "challenge-rules", "challenge-rulings")
    )
    return Books(
        parse_rules(rules),
        parse_chapters(rulings),
        parse_chapters(decisions),
        parse_challenge(challenge),
        parse_challenge(challenge_rulings),
    )
