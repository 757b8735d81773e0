"""What people do with a finished match: play on from it, read its turning points, write about it."""
