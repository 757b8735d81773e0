"""What notices of seasons ask for, and what waits for the people who run a season."""
