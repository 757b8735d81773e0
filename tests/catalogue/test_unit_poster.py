"""The picture of a unit to share."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.models import CatalogueEntry
from catalogue.presenters.unit_poster import unit_poster

pytestmark = pytest.mark.django_db


def test_a_unit_has_a_picture_of_its_dial_and_its_page_names_it(client: Client, release: Any) -> None:
    unit = CatalogueEntry.objects.filter(release=release, kind="units").order_by("key")[0]
    poster = unit_poster(unit)
    assert poster.bars == tuple(click["attack"] for click in unit.definition["dial"])
    address = reverse("catalogue:unit_picture", args=[unit.key])
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert answer["ETag"] == f'"{poster.hash}"'
    page = client.get(reverse("catalogue:unit", args=[unit.key])).content.decode()
    assert f'property="og:image" content="http://testserver{address}"' in page
    assert client.get(reverse("catalogue:unit_picture", args=["NONE999"])).status_code == 404
    assert client.get(f"{address}?collection=hidden").status_code == 404
