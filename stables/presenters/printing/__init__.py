"""The contents of printed sheets."""
