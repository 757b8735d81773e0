"""What a pilot does between two visits to an arena, one module for each topic, in the order of `cycle`."""
