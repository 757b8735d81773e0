"""The endpoints of the catalogue."""
