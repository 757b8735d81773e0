"""Pages of an arena beside the turn itself."""
