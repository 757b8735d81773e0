"""The ground: hexes and their corners, arcs, lines of fire, arenas, paths. Nothing here knows about units."""
