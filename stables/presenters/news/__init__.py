"""The news of a season: facts, and the items written from them."""
