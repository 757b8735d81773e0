"""The season as pure functions and tables: capital, prices, repair, purses, pairing, standings, reputation.

Nothing here knows a database, a clock or a hex. Money is whole Stones, reputation whole points; where the rules
divide, exact fractions are kept until the rule says how to round. Dice are passed in.
"""
