"""What happens to a unit outside an attack: heat, pilots, cards, tokens, leaving the arena."""
