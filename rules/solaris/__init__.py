"""Rules that matches and seasons share: house rules, classes, cards, tokens, building."""
