"""Reads of seasons. Nothing here writes."""
