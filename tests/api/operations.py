"""Every operation of the interface, read from the resolver: a new one is there without anybody writing it down."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from people.models import ApiToken
from tests.web.roles.world import World

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Operation:
    """A method at an address; `parameters` are those of its `route`, `view` is the class that answers."""

    method: str
    name: str
    parameters: tuple[str, ...]
    view: Any
    route: str

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.name}"

    @property
    def template(self) -> str:
        """The address as the description writes it: "/api/v1/seasons/{season_slug}/"."""
        return "/api/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", self.route)

    def values(self, world: World) -> dict[str, Any]:
        """What stands for each parameter: something that is there in the world."""
        own = OF_ADDRESS.get(self.name)
        chosen = {**world.values, **VALUES, **(own(world) if own else {})}
        return {name: chosen[name] for name in self.parameters}

    def address(self, world: World) -> str:
        """The address, filled with what is there in the world."""
        return reverse(self.name, kwargs=self.values(world))


def operations() -> list[Operation]:
    """All of them, by name."""
    roots = [each for each in get_resolver().url_patterns if isinstance(each, URLResolver) and each.namespace == "api"]
    return sorted((found for root in roots for found in _below(root, (), "")), key=str)


def _below(resolver: URLResolver, before: tuple[str, ...], start: str) -> Iterator[Operation]:
    for each in resolver.url_patterns:
        own, route = (*before, *each.pattern.converters), start + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _below(each, own, route)
        elif isinstance(each, URLPattern):
            view = getattr(each.callback, "cls", None)
            for method in METHODS:
                if hasattr(view, method):
                    yield Operation(method, f"api:{each.name}", own, view, route)


VALUES: Mapping[str, Any] = {
    "number": 1,
    "cycle_number": 1,
    "round_number": 1,
    "content_hash": "latest",
    "proposal_id": 1,
}
"""Parameters that stand for something else than on the pages."""

OF_ADDRESS: Mapping[str, Callable[[World], Mapping[str, Any]]] = {
    "api:catalogue_schema": lambda world: {"name": "unit"},
    "api:catalogue_pilots_entry": lambda world: {"key": "GS-008"},
    "api:catalogue_gear_entry": lambda world: {"key": "G-001"},
    "api:catalogue_rally_cards_entry": lambda world: {"key": "R-001"},
    "api:catalogue_target_tokens_entry": lambda world: {"key": "T-001"},
    "api:catalogue_arenas_entry": lambda world: {"key": "plaza"},
    **dict.fromkeys(
        ("api:catalogue_import", "api:catalogue_import_changes", "api:catalogue_import_confirm"),
        lambda world: {"public_id": world.values["draft"]},
    ),
    **dict.fromkeys(
        ("api:webhook", "api:webhook_secret", "api:webhook_try", "api:webhook_deliveries"),
        lambda world: {"public_id": world.values["webhook"]},
    ),
    "api:webhook_delivery_retry": lambda world: {"public_id": world.values["delivery"]},
    "api:invitation": lambda world: {
        "season_slug": world.seasons["recruiting"].slug,
        "invitation_id": world.seasons["recruiting"].invitations.get().pk,
    },
    "api:saved_line_up": lambda world: {"weight_class": "light", "format_name": "standard"},
    "api:token": lambda world: {"token_id": ApiToken.objects.filter(user=world.people["player"])[0].pk},
    "api:waiting_list_pass_over": lambda world: {"season_slug": world.seasons["recruiting"].slug},
    "api:role": lambda world: {"role_id": world.seasons["table"].roles.get(role="referee").pk},
}
"""Addresses whose parameters stand for something else than in the others."""
