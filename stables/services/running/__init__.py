"""A season while it runs: roles, pauses, deadlines that are over."""
