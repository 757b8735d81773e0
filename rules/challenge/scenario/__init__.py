"""Conformance scenarios of the Challenge: a situation, entries, and what must come of them."""
