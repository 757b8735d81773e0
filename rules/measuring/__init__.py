"""Measurements by play-outs that the site asks for: forecasts, ratings, studies, balance."""
