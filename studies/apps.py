from django.apps import AppConfig


class StudiesConfig(AppConfig):
    """An app so that Celery finds its tasks."""

    name = "studies"
