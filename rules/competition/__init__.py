"""The arena match: hexes, arenas, lines of fire, orders, phases, scoring and replay."""
