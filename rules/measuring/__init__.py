"""Measuring by play-outs, as the site does it: forecasts, ratings, studies, balance."""
