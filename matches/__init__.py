"""Matches that people play, watch and check. The app knows nothing of stables."""
