"""A season while it runs: the parts of its stables, roles, pauses, passed deadlines."""
