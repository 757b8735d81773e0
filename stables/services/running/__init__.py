"""A season while it runs: roles, pauses, passed deadlines."""
