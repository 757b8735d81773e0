"""Matches of units against each other and against their twins, from which `rules.tools.balance` finds what units are
worth."""
