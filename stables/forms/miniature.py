"""The form for the photo of a miniature."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from web.photos import photo_field


class MiniatureForm(forms.Form):
    """The form for the photo of a miniature. Do not validate it: the service checks the file."""

    photo = photo_field(_("Photo"))

    def __init__(self) -> None:
        super().__init__(auto_id="miniature-%s", label_suffix="")
        self.fields["photo"].widget.attrs["required"] = True
