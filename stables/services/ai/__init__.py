"""What the AI does for its stables."""
