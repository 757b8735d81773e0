"""The pages of accounts and of their tokens."""
