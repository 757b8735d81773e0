"""An attack: what may be attacked, what is added up, who reacts, what comes of it."""
