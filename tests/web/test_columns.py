"""Columns of queries have a hash that costs little and agrees with Django's equality."""

from __future__ import annotations

from inspect import Signature
from typing import Any

import pytest
from django.db.models.expressions import Col

from stables.models import FixtureSide, Stable


def test_building_a_query_with_an_order_binds_no_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    bound: list[Any] = []
    bind = Signature.bind_partial

    def count(self: Signature, *args: Any, **options: Any) -> Any:
        bound.append(self)
        return bind(self, *args, **options)

    monkeypatch.setattr(Signature, "bind_partial", count)
    # The second join to the accounts has an alias, for which Django keeps no columns.
    sides = FixtureSide.objects.select_related("stable__owner", "stand_in").order_by("id")
    assert str(sides.query).endswith('ORDER BY "stables_fixtureside"."id" ASC')
    assert bound == []


def test_equal_columns_have_one_hash_and_others_stay_apart() -> None:
    name, slug = (Stable._meta.get_field(field) for field in ("name", "slug"))
    assert {Col("here", name), Col("here", name)} == {Col("here", name)}
    assert len({Col("here", name), Col("there", name), Col("here", slug), Col("here", name, slug)}) == 4
