"""The content of pages and sheets about definitions."""
