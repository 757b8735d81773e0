"""Words of a match for people."""
