"""The forms of the catalogue."""
