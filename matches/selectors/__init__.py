"""Reads of matches, and what follows from them."""
