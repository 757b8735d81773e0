"""What the pages of the help show. Nothing here asks the database."""
