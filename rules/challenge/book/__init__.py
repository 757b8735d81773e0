"""The book of an event: its rows, what a GM settles, and what everybody has."""
