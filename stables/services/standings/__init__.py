"""The close of a cycle, places, titles."""
