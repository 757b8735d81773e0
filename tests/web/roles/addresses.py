"""Every address of the site, read from the resolver: a new one is there without anybody writing it down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from matches.selectors.puzzles import shipped
from rules.catalogue import load_builtin

from .world import World


def named_patterns(resolver: URLResolver | None = None, space: str = "") -> Iterator[tuple[str, list[str]]]:
    """The name of each address, with its namespaces, and the parameters that it takes, those of its roots first."""
    yield from _named(resolver or get_resolver(), space, [])


def _named(resolver: URLResolver, space: str, before: list[str]) -> Iterator[tuple[str, list[str]]]:
    for each in resolver.url_patterns:
        own = [*before, *(each.pattern.converters or _groups(each))]
        if space == "api:" and hasattr(getattr(each, "callback", None), "cls"):
            # Endpoints are asked by the tests of tests/api, which know more methods.
            continue
        if isinstance(each, URLResolver):
            yield from _named(each, f"{space}{each.namespace}:" if each.namespace else space, own)
        else:
            yield f"{space}{each.name}", own


def _groups(each: URLPattern | URLResolver) -> list[str]:
    return list(each.pattern.regex.groupindex)  # type: ignore[union-attr]


def address_of(world: World, name: str, parameters: list[str]) -> str:
    """The address of a name, filled with what is there in the world."""
    own = OF_ADDRESS.get(name)
    chosen = {**world.values, **(own(world) if own else {})}
    chosen = {key: chosen[key] for key in parameters}
    if name.startswith("admin:") and "object_id" in chosen and name not in OF_ADDRESS:
        chosen["object_id"] = _first(name)
    return reverse(name, kwargs=chosen)


def _first(name: str) -> Any:
    """The id of an object of an admin's address (`admin:app_model_change`); 1 when there is none."""
    for model in apps.get_models():
        if name.startswith(f"admin:{model._meta.app_label}_{model._meta.model_name}_"):
            found = model._default_manager.order_by("pk").first()
            return 1 if found is None else found.pk
    raise LookupError(name)


def _hand_over(world: World) -> Mapping[str, Any]:
    stable = world.stable("running")
    return {"season_slug": stable.season.slug, "stable_slug": stable.slug}


def _group(world: World) -> Mapping[str, Any]:
    return {"group": "mov"}


def _arena(world: World) -> Mapping[str, Any]:
    return {"key": "plaza"}


def _card(key: str) -> Any:
    return lambda world: {"key": key}


def _on_site(world: World) -> Mapping[str, Any]:
    season = world.seasons["table"]
    return {"content_type_id": ContentType.objects.get_for_model(season).pk, "object_id": season.pk}


def _shared(world: World) -> Mapping[str, Any]:
    return {"key": world.values["share_key"]}


def _shared_unit(world: World) -> Mapping[str, Any]:
    return {"key": world.values["share_key"], "unit": "none"}


def _settled(world: World) -> Mapping[str, Any]:
    return {"season_slug": world.seasons["played"].slug, "fixture_id": world.fixtures["played"].pk}


OF_ADDRESS: Mapping[str, Any] = {
    "stables:hand_over_summary": _hand_over,
    "stables:take_back": _hand_over,
    "stables:who_comes": lambda world: {"token": world.values["coming_token"]},
    "stables:open_link": lambda world: {"code": world.values["link_code"]},
    "help:rules_group": _group,
    "api_help:topic": lambda world: {"topic": "account"},
    "catalogue:arena": _arena,
    "catalogue:arena_tiles": _arena,
    "catalogue:import": lambda world: {"public_id": world.values["draft"]},
    "catalogue:mapping": lambda world: {"mapping": "tagged_clicks"},
    "admin:view_on_site": _on_site,
    **dict.fromkeys(
        ("matches:shared_show", "matches:shared_sheets", "matches:shared_download", "matches:shared_verify"), _shared
    ),
    "matches:shared_write_up_photo": _shared,
    "matches:shared_picture": _shared,
    "matches:shared_unit_photo": _shared_unit,
    "stables:after_match": _settled,
    **dict.fromkeys(
        (
            "stables:webhook",
            "stables:change_webhook",
            "stables:switch_webhook",
            "stables:new_webhook_secret",
            "stables:try_webhook",
            "stables:delete_webhook",
        ),
        lambda world: {"public_id": world.values["webhook"]},
    ),
    "stables:retry_delivery": lambda world: {"public_id": world.values["delivery"]},
    "catalogue:pilots_page": _card(sorted(load_builtin().pilots)[0]),
    "catalogue:gear_page": _card("G-001"),
    "catalogue:rally_cards_page": _card("R-001"),
    "catalogue:target_tokens_page": _card("T-001"),
    **dict.fromkeys(("challenge:correct", "challenge:add"), lambda world: {"number": 2}),
    **dict.fromkeys(("puzzles:show", "puzzles:answer", "puzzles:play_on"), lambda world: {"day": max(shipped())}),
}
"""Addresses whose parameters stand for something else than in the others."""
