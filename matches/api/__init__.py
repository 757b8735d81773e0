"""The endpoints of matches."""
