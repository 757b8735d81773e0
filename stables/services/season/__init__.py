"""The life of a season: opened, joined, changed, ended."""
