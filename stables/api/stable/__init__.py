"""The endpoints for the owner of a stable."""
