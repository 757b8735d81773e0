from django.apps import AppConfig
from django.db.models.expressions import Col


def hash_of_column(column: Col) -> int:
    """Return the hash of a column of a query: equal columns have the same alias and the same field."""
    return hash((column.alias, column.target))


class SolarisSiteConfig(AppConfig):
    """The app of the commands that know every process of the site; it has no models."""

    name = "solaris_site"

    def ready(self) -> None:
        """Let Django hash columns by what tells them apart.

        A query with an order hashes all columns that it selects. Django binds the signature of their constructor for
        each hash, which takes a fifth of the time in which such a query is built.
        """
        Col.__hash__ = hash_of_column  # type: ignore[method-assign, assignment]
