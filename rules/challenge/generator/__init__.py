"""Evenings at random that the rules allow: pilots come, fight, repair, sign, learn, and play a final."""
