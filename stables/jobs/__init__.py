"""The jobs of seasons. Importing this registers them all (`jobs.registry`)."""

from stables.jobs import forecasts, results, season, seats, titles, webhooks

__all__ = ["forecasts", "results", "season", "seats", "titles", "webhooks"]
