"""Template tags of the pages of matches."""
