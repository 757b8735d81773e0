"""The page of all refusal codes (docs/refusals.md), made from the sentences themselves."""

from __future__ import annotations

from collections.abc import Mapping

from rules.campaign.wording.refusals import SENTENCES as CAMPAIGN_SENTENCES
from rules.catalogue.wording import SENTENCES as CATALOGUE_SENTENCES
from rules.challenge.wording import SENTENCES as CHALLENGE_SENTENCES
from rules.wording.refusals import POSITION_PROBLEMS, REFUSAL_CODES, VARIANTS
from rules.wording.topics import topic

_HEAD = """# Refusal codes

Every answer 400 or 409 of the site and every `error` of a conformance scenario carries one of these codes. The list is
closed: a test reads the source and fails on a code without a sentence and on a sentence without a code. Words in braces
are the parameters that come with the code; where a code has two sentences, they come with different parameters. The
third column says where the help speaks of it: a rule or a ruling, a group of rules, or a page and its anchor. The
rule that comes with a refusal as `{rule}` goes before it.

This page is made by `python -m rules.wording > docs/refusals.md`.
"""

_SECTIONS: tuple[tuple[str, tuple[Mapping[str, str], ...]], ...] = (
    ("The match", (REFUSAL_CODES, VARIANTS, POSITION_PROBLEMS)),
    ("The season", (CAMPAIGN_SENTENCES,)),
    ("The catalogue", (CATALOGUE_SENTENCES,)),
    ("The Melee Challenge", (CHALLENGE_SENTENCES,)),
)


def document() -> str:
    """Return the page as Markdown, its codes in alphabetical order within each section."""
    parts = [_HEAD]
    for title, rooms in _SECTIONS:
        rows = sorted((code, number, room[code]) for number, room in enumerate(rooms) for code in room)
        lines = [f"| `{code}` | {template.replace('|', chr(92) + '|')} | {topic(code)} |" for code, _, template in rows]
        parts.append("\n".join([f"## {title}", "", "| code | meaning | help |", "|---|---|---|", *lines, ""]))
    return "\n".join(parts)
