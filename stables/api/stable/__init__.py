"""Running a stable: for its owner."""
