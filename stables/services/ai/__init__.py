"""The work of the AI for its stables."""
