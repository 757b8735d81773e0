"""The jobs of seasons. Importing this registers them all (`jobs.registry`)."""

from stables.jobs import forecasts, reminders, results, season, seats, titles, webhooks

__all__ = ["forecasts", "reminders", "results", "season", "seats", "titles", "webhooks"]
