"""Reads of seasons; no module here writes."""
