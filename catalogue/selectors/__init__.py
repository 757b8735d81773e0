"""Reads of the catalogue."""
