"""What the pages of an arena show beside its pilots and their feats."""
