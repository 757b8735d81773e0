"""What the pages of organisers show."""
