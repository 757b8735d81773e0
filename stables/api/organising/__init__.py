"""The endpoints for the organisers of a season."""
