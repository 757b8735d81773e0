"""What a match in the arena and the season around it share: house rules, classes, cards, tokens, building."""
