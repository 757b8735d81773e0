"""The texts of the help, and docs/ as values."""
