"""The state of a match: its setup, the position and the events that write to it, the table that holds them all."""
