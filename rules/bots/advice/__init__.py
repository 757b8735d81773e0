"""Advice: what a good player would do, with the reasons as codes."""
