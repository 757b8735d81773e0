"""The words of a match that people read."""
