"""Everything that changes matches. Only the module `matches` writes their steps.

Functions that read a match's engine pass on what `rebuild` (matches.selectors.matches) raises.
"""
