"""What is entered about an arena beside feats: bets, turrets, tanks, mines, rebar, notes; portals of the set-up."""
