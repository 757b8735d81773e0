"""Template tags of the season's pages."""
