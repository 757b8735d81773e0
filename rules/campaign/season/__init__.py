"""A season: its settings, its dates, who takes part and who meets whom."""
