"""Reads of matches, and what follows from them. Only time_banks writes: to the banks of seats."""
