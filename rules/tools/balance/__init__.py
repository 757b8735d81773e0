"""A check of point values: units of a class play each other, and what they win is compared with their points.

`rules.measuring.balance` plays, `keeping` remembers, `fitting` and `pricing` do the statistics, `report` writes them
down; `python -m rules.tools.balance` is the command.
"""
