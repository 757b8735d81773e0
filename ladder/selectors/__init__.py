"""Reads of the ladder."""
