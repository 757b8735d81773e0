"""The answers of seasons to the rooms of matches and of the catalogue."""
