"""Places of a cycle, purses, and the champions."""
