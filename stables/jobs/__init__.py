"""The jobs of seasons. Importing this package registers all of them (`jobs.registry`)."""

from stables.jobs import forecasts, reminders, results, season, seats, titles, webhooks

__all__ = ["forecasts", "reminders", "results", "season", "seats", "titles", "webhooks"]
