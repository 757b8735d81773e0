"""Documents that outside programs subscribe to."""
