"""The console of a season's organisers, what they decide on it, and the seasons that they open."""
