"""The help's texts in our own words: glossary, introductions, cards, who sees what."""
