"""The season as pure functions and tables: capital, prices, repair, purses, pairing, standings, reputation.

Nothing here knows a database, a clock or a hex. Money is whole Stones, reputation whole points. When the rules divide,
fractions stay exact until the rule says how to round. Callers pass the dice in.
"""
