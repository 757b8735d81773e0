"""Units between matches: their repairs, and the gear and pilots on them."""
