"""Whether point values mean something: units of a class play each other, and what they win is set against their points.

`playing` plays, `fitting` does the statistics, `report` writes them down; `python -m rules.measuring.balance` is the
command.
"""
