"""The words of the help, and docs/ as values."""
