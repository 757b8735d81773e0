"""Repairs and what units carry."""
