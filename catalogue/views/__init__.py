"""The catalogue's pages."""
