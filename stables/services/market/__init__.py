"""Buying, selling, sealed baskets."""
