"""What the commands of all rooms share. It imports none of them."""
