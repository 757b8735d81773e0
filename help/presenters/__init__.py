"""The content of the help's pages. Nothing here asks the database."""
