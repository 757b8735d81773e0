"""What seasons answer the matches that belong to them."""
