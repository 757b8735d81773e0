"""Results: reported, ruled, settled, corrected."""
