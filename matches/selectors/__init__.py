"""Reads of matches, and what is worked out from them. Nothing here writes."""
