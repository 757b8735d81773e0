"""What every rule system of the family shares: dice, refusals, codec, house rules, units, equipment."""
