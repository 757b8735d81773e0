"""Which seasons a reader is told nothing of, asked through a door: the catalogue itself knows nothing of seasons.

The app that keeps seasons registers one function; collections of seasons follow what it answers.
"""

from collections.abc import Callable
from typing import Any

Provider = Callable[[Any, bool], Any]
"""A user, and whether for a list, to the addresses of seasons that they are not shown, as a query or a collection."""

_providers: list[Provider] = []


def provide_hidden_seasons(provider: Provider) -> Provider:
    """Register the function that answers; usable as a decorator. A second registration replaces the first."""
    _providers[:] = [provider]
    return provider


def hidden_seasons(user: Any, in_lists: bool) -> Any:
    """The addresses of the seasons that a person may not see, or that lists do not show them; none without seasons."""
    return _providers[0](user, in_lists) if _providers else ()
