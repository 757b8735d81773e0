"""The forms of stables and seasons."""
