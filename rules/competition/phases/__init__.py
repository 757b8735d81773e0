"""The phases of a round, and the orders given in them."""
