"""The words of the game and of the site. The entries stand in tables, one a topic; here they come together."""

from __future__ import annotations

from collections.abc import Mapping

from solaris_site.help_term import Term
from solaris_site.help_terms_arena import ARENA_TERMS
from solaris_site.help_terms_match import MATCH_TERMS
from solaris_site.help_terms_season import SEASON_TERMS
from solaris_site.help_terms_site import SITE_TERMS

TERMS: tuple[Term, ...] = (*MATCH_TERMS, *ARENA_TERMS, *SEASON_TERMS, *SITE_TERMS)
"""Every entry; pages sort them by their name in the reader's language."""

TERM_OF: Mapping[str, Term] = {term.key: term for term in TERMS}
"""Key -> entry."""

__all__ = ["TERMS", "TERM_OF", "Term"]
