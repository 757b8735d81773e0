"""Measuring for developers: the engine's speed, how strong bots are, whether forecasts come true. No app imports it."""
