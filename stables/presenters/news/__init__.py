"""The news of a season: facts, and the items told of them."""
