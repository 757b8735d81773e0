"""Whether point values mean something: units of a class play each other, and what they win is set against their points.

`rules.measuring.balance` plays, `keeping` remembers, `fitting` and `pricing` do the statistics, `report` writes them
down; `python -m rules.tools.balance` is the command.
"""
