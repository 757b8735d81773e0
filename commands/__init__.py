"""What the commands of all rooms share; it knows none of them."""
