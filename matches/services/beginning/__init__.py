"""How matches begin outside of seasons: friendly ones, duels of guests, open seats, the demonstration."""
