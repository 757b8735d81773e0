"""What pages and sheets show of a definition."""
