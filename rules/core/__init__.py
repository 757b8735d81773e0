"""What every game of the family shares: dice, refusals, JSON, units, pilots, gear, equipment and its hooks."""
