"""Conformance scenarios: small positions with scripted dice and their expected outcomes."""
