"""Storing releases and collections, and reading the files that bring them."""
