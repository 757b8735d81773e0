"""The endpoints that read a season."""
