"""What the page of a match teaches while it is played."""
