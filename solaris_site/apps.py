from django.apps import AppConfig


class SolarisSiteConfig(AppConfig):
    """The app of the commands that know every process of the site; it has no models."""

    name = "solaris_site"
