"""What the help says in our own words: glossary, introductions, cards, who sees what."""
