"""Conformance scenarios: small positions with scripted dice, and what must come of them."""
