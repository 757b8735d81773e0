"""Words and marks of the catalogue for people."""
