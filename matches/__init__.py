"""A match as a thing that people play, watch and check. Knows nothing of stables."""
