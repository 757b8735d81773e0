"""The page that asks which sheets to print."""

import re

from django.test import Client
from django.urls import reverse

from catalogue.services.releases import load_release


def test_where_nothing_is_named_the_page_asks_what_to_print(client: Client, db: None) -> None:
    address = reverse("catalogue:sheets")
    assert client.get(address).status_code == 404  # nothing is loaded
    load_release()
    shown = client.get(address).content.decode()
    for field, count in (("arena", 7), ("unit", 57)):
        found = re.findall(rf'name="{field}" value="([^"]+)"', shown)
        assert len(found) == len(set(found)) == count
    [pinned] = re.findall(r'name="release" value="([^"]+)"', shown)
    answer = client.get(address, {"release": pinned, "unit": "SOL002", "arena": "plaza"})
    assert answer.content.decode().count('<article class="sheet') == 2
