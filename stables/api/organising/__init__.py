"""Running a season: for its organisers."""
