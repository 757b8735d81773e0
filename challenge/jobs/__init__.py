"""The jobs of events, which only send. Importing this package registers all of them (`jobs.registry`)."""

from challenge.jobs import news

__all__ = ["news"]
