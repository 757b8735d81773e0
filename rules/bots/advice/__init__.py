"""Advice: what a good player would do, and the coded reasons for it."""
