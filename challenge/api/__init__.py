"""The endpoints of events of the Challenge."""
