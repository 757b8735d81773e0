"""The rules of MechWarrior: Solaris VII as pure Python: no Django, no clock, no hidden dice.

`core` holds what every game of the family shares, `solaris` what a match and its season share, `competition` the arena
match, `campaign` the season, `catalogue` the data, `bots` players made of code, `wording` the sentences. `measuring`,
`scenario` and `tools` measure and check them. See docs/rules.md for the rule index.
"""

RULES_VERSION = "1.0"
"""Changes whenever a stored match could play differently; a replay of another version is rebuilt from its events."""
