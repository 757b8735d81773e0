"""Everything that changes matches. Only the module `matches` writes their steps."""
