"""The Solaris Melee Challenge: the books of a tournament of Classic BattleTech arenas, as pure functions and tables.

People enter what happened, one entry after another (`entries`); `folding` makes of all of them what each pilot has and
why. Nothing here plays BattleTech. C-bills, Fame and Character Points are whole numbers.
"""
