"""What notices of seasons ask for, and the inbox of those who run seasons."""
