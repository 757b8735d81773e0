"""Matches of units against each other and against their twins, from which `rules.tools.balance` works out the worth of
units."""
