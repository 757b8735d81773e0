"""A stable's identity from season to season: its name, colours, emblem and rivals, but no money and no assets."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Stable, StableIdentity
from stables.models.emblems import EMBLEMS, first_look
from web.names import name_key, proper_name

LONGEST_NAME = 60
MOST_RIVALS = 20

COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True)
class ChangedIdentity:
    """An identity after the change; `rivals` are the ids of identities."""

    identity_id: int
    name: str
    colour: str
    second_colour: str
    emblem: str
    rivals: tuple[int, ...]


def identity_for(name: str, owner: Any = None) -> StableIdentity:
    """Return the identity of a new stable: the one that its owner has by this name, or a new one if there is none.

    Names that look the same count as equal. Stables of the AI, which have no owner, share identities by name, so that
    rivalries with them last. Call it in the transaction that founds the stable.
    """
    known = _namesake(StableIdentity.objects.filter(owner=owner), name)
    if known is not None:
        return known
    try:
        with transaction.atomic():
            return StableIdentity.objects.create(owner=owner, name=name, **first_look(name))
    except IntegrityError:
        # The same person has just founded a stable of this name in another season.
        return StableIdentity.objects.get(owner=owner, name=name)


def passed_identity(stable: Stable, owner: Any) -> StableIdentity:
    """Return the identity under which a stable goes on with a new owner: theirs of this name, or a copy of its looks.

    The old owner keeps their own identity with its honours. Call it in the transaction that passes the stable.
    """
    known = _namesake(StableIdentity.objects.filter(owner=owner), stable.name)
    if known is not None or stable.identity is None:
        return known or identity_for(stable.name, owner)
    looks = {name: getattr(stable.identity, name) for name in ("colour", "second_colour", "emblem")}
    return StableIdentity.objects.create(owner=owner, name=stable.name, **looks)


@transaction.atomic
def change_identity(
    *,
    identity_id: int,
    name: str,
    colour: str,
    second_colour: str,
    emblem: str,
    rivals: Collection[int] | None = None,
) -> ChangedIdentity:
    """Change an identity's name and looks, and its rivals unless `rivals` is None.

    Its stables in existing seasons keep their names. A rival that is unknown, or the identity itself, is an
    unknown_identity; more than MOST_RIVALS are a bad_field. Raises StableIdentity.DoesNotExist, SeasonRefused
    (identity_name_taken) or Malformed (stable_name_missing, colour_malformed, unknown_emblem, unknown_identity,
    bad_field).
    """
    changed = StableIdentity.objects.select_for_update(of=("self",)).get(pk=identity_id)
    name = proper_name(name, LONGEST_NAME)
    if not name:
        raise Malformed("stable_name_missing", longest=LONGEST_NAME)
    for value in (colour, second_colour):
        if not COLOUR.fullmatch(value.lower()):
            raise Malformed("colour_malformed", colour=value[:20])
    if emblem not in EMBLEMS:
        raise Malformed("unknown_emblem", emblem=emblem[:30])
    if _namesake(StableIdentity.objects.filter(owner=changed.owner_id).exclude(pk=identity_id), name) is not None:
        raise SeasonRefused("identity_name_taken", name=name)
    changed.name, changed.colour, changed.second_colour = name, colour.lower(), second_colour.lower()
    changed.emblem = emblem
    changed.save(update_fields=["name", "colour", "second_colour", "emblem"])
    if rivals is not None:
        changed.rivals.set(_rivals(identity_id, set(rivals)))
    named = tuple(changed.rivals.order_by("pk").values_list("pk", flat=True))
    return ChangedIdentity(identity_id, name, changed.colour, changed.second_colour, emblem, named)


def _namesake(identities: QuerySet[StableIdentity], name: str) -> StableIdentity | None:
    """Return the oldest of the identities whose name looks the same."""
    key = name_key(name)
    return next((known for known in identities.order_by("id") if name_key(known.name) == key), None)


def _rivals(identity_id: int, wanted: set[int]) -> list[StableIdentity]:
    if len(wanted) > MOST_RIVALS:
        raise Malformed("bad_field", field="rivals", value=len(wanted))
    # SQLite takes no larger number, and no row has one.
    numbers = [number for number in wanted if 0 < number < 2**63]
    found = list(StableIdentity.objects.filter(pk__in=numbers).exclude(pk=identity_id))
    if len(found) != len(wanted):
        raise Malformed("unknown_identity")
    return found
