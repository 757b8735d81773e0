"""Prices before they are paid: each quote shows its lines and modifiers, and what is left after rounding."""
