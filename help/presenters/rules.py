"""The content of the pages of rules, rulings and decisions. Nothing here asks the database.

Each line of the rules and rulings is one message for translators. A line without a translation is shown in English,
and so are the decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from help.text import documents
from help.text.content.editions import EDITIONS
from help.text.content.glossary import TERMS
from help.text.content.introductions import CAMPAIGN, INTRODUCTIONS
from help.text.content.term import Term
from help.text.documents import Books, Chapter, Group, Line, Ruling, books, row_anchor
from help.text.markup import address_of, prose
from web.languages.words import contains, heading, sort_key

MOST_FOUND = 60
"""The most results that the page of a search shows."""

LONGEST_QUESTION = 60


@dataclass(frozen=True)
class Mention:
    """A link to a place that names a rule or ruling."""

    label: str
    address: str


@dataclass(frozen=True)
class LineView:
    """A rule line: its text as HTML, the places that name it, and the decisions about it.

    `edition` says what the reader's own edition prints instead, "" where it prints the same.
    """

    id: str
    text: SafeString
    named_in: tuple[Mention, ...]
    decisions: tuple[Mention, ...]
    edition: SafeString


@dataclass(frozen=True)
class SectionView:
    """Rule lines under a heading; `title` is "" for none."""

    title: str
    lines: tuple[LineView, ...]


@dataclass(frozen=True)
class GroupLink:
    """A link to the page of a group, with the group's introduction and the number of its rules."""

    key: str
    title: str
    address: str
    introduction: str
    count: int


@dataclass(frozen=True)
class GroupPage:
    """The content of a group's page. `see` has links to the rulings in its heading, `previous` and `next` are None at
    the ends.
    """

    link: GroupLink
    see: SafeString
    remark: SafeString
    sections: tuple[SectionView, ...]
    previous: GroupLink | None
    next: GroupLink | None


def translated(text: str) -> str:
    """Return a text of docs/ in the reader's language, in English without a translation."""
    return gettext(text) if text else ""


def group_link(group: Group) -> GroupLink:
    """Return the link to a group, with its introduction ("" for none)."""
    return GroupLink(
        key=group.key,
        title=_title(group),
        address=reverse("help:rules_group", args=[group.slug]),
        introduction=str(INTRODUCTIONS.get(group.key, "")),
        count=len(group.lines),
    )


def _title(group: Group) -> str:
    """Return a group's heading without the rulings that some headings have in parentheses."""
    return translated(group.title).partition(" (Q-")[0]


def group_lists() -> list[tuple[str, list[GroupLink]]]:
    """Return two lists as (title, links): the groups about a match, and those about a season, each in the order of
    docs/rules.md.
    """
    links = [group_link(group) for group in books().groups]
    return [
        (gettext("A match"), [link for link in links if link.key not in CAMPAIGN]),
        (gettext("A season"), [link for link in links if link.key in CAMPAIGN]),
    ]


def group_page(slug: str) -> GroupPage | None:
    """Return the page of the group with this slug; None when there is none."""
    groups = books().groups
    numbers = {group.slug: number for number, group in enumerate(groups)}
    if slug not in numbers:
        return None
    number = numbers[slug]
    group = groups[number]
    named = documents.identifiers([group.title])
    return GroupPage(
        link=group_link(group),
        see=prose(" – ".join(named)),
        remark=prose(translated(group.remark)),
        sections=tuple(
            SectionView(translated(section.title), tuple(line_view(line) for line in section.lines))
            for section in group.sections
        ),
        previous=group_link(groups[number - 1]) if number else None,
        next=group_link(groups[number + 1]) if number + 1 < len(groups) else None,
    )


def line_view(line: Line) -> LineView:
    """Return a rule line as HTML, with links to the places that name it and to the decisions about it."""
    printed = EDITIONS.get(line.id, {}).get(get_language() or "", "")
    return LineView(
        line.id,
        prose(translated(line.text)),
        _named_in(books(), line.id),
        _decisions(books(), line.id),
        prose(printed),
    )


def _named_in(known: Books, identifier: str) -> tuple[Mention, ...]:
    return tuple(Mention(source, address_of(source)) for source in known.named_in.get(identifier, ()))


def _decisions(known: Books, identifier: str) -> tuple[Mention, ...]:
    page = reverse("help:decisions")
    anchors = known.decided_in.get(identifier, ())
    return tuple(Mention(str(number), f"{page}#{anchor}") for number, anchor in enumerate(anchors, 1))


@dataclass(frozen=True)
class ChallengeChapter:
    """A chapter of the rules or rulings of the Melee Challenge."""

    title: str
    slug: str
    remark: SafeString
    lines: tuple[LineView, ...]


def challenge_rules() -> list[ChallengeChapter]:
    """Return the chapters of docs/challenge-rules.md."""
    return [_challenge_chapter(group) for group in books().challenge]


def challenge_rulings() -> list[ChallengeChapter]:
    """Return the chapters of docs/challenge-rulings.md."""
    return [_challenge_chapter(group) for group in books().challenge_rulings]


def _challenge_chapter(group: Group) -> ChallengeChapter:
    lines = tuple(line_view(line) for line in group.lines)
    return ChallengeChapter(translated(group.title), group.key, prose(translated(group.remark)), lines)


@dataclass(frozen=True)
class RulingView:
    """A ruling as HTML, with links to the places that name it and to the decisions about it."""

    id: str
    question: SafeString
    answer: SafeString
    reason: SafeString
    named_in: tuple[Mention, ...]
    decisions: tuple[Mention, ...]


@dataclass(frozen=True)
class ChapterView:
    """A chapter of a document as HTML. Either `rulings` has its rulings, or `rows` has each row as (anchor, cells)."""

    title: str
    slug: str
    paragraphs: tuple[SafeString, ...]
    rulings: tuple[RulingView, ...]
    rows: tuple[tuple[str, tuple[SafeString, ...]], ...]


def ruling_chapters() -> list[ChapterView]:
    """Return the chapters of docs/rulings.md."""
    return [chapter_view(chapter) for chapter in books().rulings]


def decision_chapters() -> list[ChapterView]:
    """Return the chapters of docs/decisions.md."""
    return [chapter_view(chapter, str) for chapter in books().decisions]


def chapter_view(chapter: Chapter, said: Callable[[str], str] = translated) -> ChapterView:
    """Return a chapter with its rulings or its rows as HTML; `said` words its texts."""
    rulings = tuple(ruling_view(ruling) for ruling in chapter.rulings)
    return ChapterView(
        title=said(chapter.title),
        slug=chapter.slug,
        paragraphs=tuple(prose(said(text)) for text in chapter.paragraphs),
        rulings=rulings,
        rows=()
        if rulings
        else tuple(
            (row_anchor(chapter, number), tuple(prose(said(cell)) for cell in row))
            for number, row in enumerate(chapter.rows, 1)
        ),
    )


def ruling_view(ruling: Ruling) -> RulingView:
    """Return a ruling as HTML, with its links."""
    question, answer, reason = (prose(translated(text)) for text in (ruling.question, ruling.answer, ruling.reason))
    return RulingView(
        ruling.id,
        question,
        answer,
        reason,
        _named_in(books(), ruling.id),
        _decisions(books(), ruling.id),
    )


@dataclass(frozen=True)
class Found:
    """One result of a search: its name, its address and its text. `is_id` says that the name is the id of a rule or
    ruling, `is_english` that its text is in English in every language.
    """

    label: str
    address: str
    text: SafeString
    is_id: bool = True
    is_english: bool = False


@dataclass(frozen=True)
class Results:
    """The results of a search. `count` is the number of all results, `found` has at most MOST_FOUND of them."""

    question: str
    found: tuple[Found, ...]
    count: int


def search(question: str) -> Results | None:
    """Return the words of the glossary, rules, rulings and decisions that contain every word of a question; None for an
    empty question. Only its first LONGEST_QUESTION characters count.
    """
    question = " ".join(question[:LONGEST_QUESTION].split())
    if not question:
        return None
    hits = [build for haystack, build in _everything() if contains(haystack, question)]
    return Results(question, tuple(_built(build) for build in hits[:MOST_FOUND]), len(hits))


_Sought = Line | Ruling | Term | tuple[str, tuple[str, ...]]


def _everything() -> Iterator[tuple[str, _Sought]]:
    """Yield (searched text, part of the help): the words of the glossary, then rules, rulings and decisions."""
    for term in TERMS:
        yield f"{term.name} {term.text}", term
    for line in (*books().lines.values(), *books().challenge_lines.values()):
        yield f"{line.id} {translated(line.text)}", line
    for ruling in books().answers.values():
        yield (
            f"{ruling.id} {translated(ruling.question)} {translated(ruling.answer)} {translated(ruling.reason)}",
            ruling,
        )
    for chapter in books().decisions:
        for number, row in enumerate(chapter.rows, 1):
            yield " ".join(row), (row_anchor(chapter, number), row)


def _built(sought: _Sought) -> Found:
    if isinstance(sought, Term):
        return Found(str(sought.name), f"{reverse('help:glossary')}#{sought.key}", prose(str(sought.text)), is_id=False)
    if isinstance(sought, Line):
        return Found(sought.id, address_of(sought.id), prose(translated(sought.text)))
    if isinstance(sought, Ruling):
        return Found(
            sought.id, address_of(sought.id), prose(f"{translated(sought.question)} {translated(sought.answer)}")
        )
    anchor, row = sought
    address = f"{reverse('help:decisions')}#{anchor}"
    return Found(gettext("Decision"), address, prose(row[0]), is_id=False, is_english=True)


@dataclass(frozen=True)
class TermView:
    """A word of the glossary: its text as HTML, ids of rules, and related words as (key, name)."""

    key: str
    name: str
    text: SafeString
    rules: tuple[str, ...]
    related: tuple[tuple[str, str], ...]


def glossary() -> list[tuple[str, list[TermView]]]:
    """Return the glossary as (first letter, words), in the order of the names in the reader's language."""
    names = {term.key: str(term.name) for term in TERMS}
    sheets: dict[str, list[TermView]] = {}
    for term in sorted(TERMS, key=lambda each: sort_key(names[each.key])):
        related = tuple((key, names[key]) for key in term.related)
        view = TermView(term.key, names[term.key], prose(str(term.text)), term.rules, related)
        sheets.setdefault(heading(view.name), []).append(view)
    return list(sheets.items())


def exact_words(rule: str, headings: int = 0) -> SafeString:
    """Return the text of a rule without its first `headings` parts that end with ": "; "" for an unknown rule."""
    line = books().lines.get(rule)
    return prose(translated(line.text).split(": ", headings)[-1]) if line else SafeString("")
