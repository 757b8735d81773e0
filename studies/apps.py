from django.apps import AppConfig


class StudiesConfig(AppConfig):
    """The app of studies. It has no models; it is an app so that Celery finds its tasks."""

    name = "studies"
