"""The ceremony of a season, and the pictures of seasons and stables to share."""
