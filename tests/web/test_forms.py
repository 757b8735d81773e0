"""How the site's forms are written: labels without colons, a box to tick inside its label."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms
from django.test import Client

from people.models import User

pytestmark = pytest.mark.django_db


class Example(forms.Form):
    """One of each."""

    name = forms.CharField(label="Name", help_text="As others read it")
    sure = forms.BooleanField(label="Sure")
    secret = forms.CharField(widget=forms.HiddenInput, initial="x")


def squeezed(text: Any) -> str:
    return " ".join(str(text).split())


def test_a_form_has_labels_without_colons_and_boxes_inside_them() -> None:
    form = squeezed(Example().as_p())
    assert '<label for="id_name">Name</label> <input type="text" name="name"' in form
    assert 'aria-describedby="id_name_helptext"' in form
    assert '<span class="helptext" id="id_name_helptext" >As others read it</span>' in form
    assert '<label for="id_sure"><input type="checkbox" name="sure" required id="id_sure"> Sure</label>' in form
    assert form.count('name="secret"') == 1


def test_an_error_stands_at_its_field() -> None:
    form = squeezed(Example({"sure": "on"}).as_p())
    assert form.index("This field is required") < form.index('for="id_name"')
    assert 'aria-invalid="true"' in form


def test_the_account_page_is_written_so() -> None:
    client = Client()
    client.force_login(User.objects.create_user("player", "player@example.org", "-"))
    page = squeezed(client.get("/people/account").content.decode())
    assert (
        'type="checkbox" name="mail_digest" id="id_mail_digest" checked> One mail a day with what is new</label>'
        in page
    )
    assert ":</label>" not in page
