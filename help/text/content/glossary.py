"""The glossary of the game and of the site, which joins the tables of its topics."""

from __future__ import annotations

from collections.abc import Mapping

from help.text.content.term import Term
from help.text.content.terms_of_arena import ARENA_TERMS
from help.text.content.terms_of_calendar import CALENDAR_TERMS
from help.text.content.terms_of_match import MATCH_TERMS
from help.text.content.terms_of_season import SEASON_TERMS
from help.text.content.terms_of_site import SITE_TERMS

TERMS: tuple[Term, ...] = (*MATCH_TERMS, *ARENA_TERMS, *SEASON_TERMS, *CALENDAR_TERMS, *SITE_TERMS)
"""All entries; pages sort them by name in the reader's language."""

TERM_OF: Mapping[str, Term] = {term.key: term for term in TERMS}
"""Key -> entry."""
