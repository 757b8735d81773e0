"""Reading a season."""
