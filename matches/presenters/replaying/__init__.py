"""A match played again: steps, playback on the board, the scene of its result, its curve, its proof."""
