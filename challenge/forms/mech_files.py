"""The form that takes files of 'Mechs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from rules.challenge.mech_files.reading import LARGEST_ZIP

ENDINGS = ".mtf,.zip,.csv,.mul"


class _FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One file or several."""

    widget = _FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        """Return the files. Raises ValidationError for none, and for one that is empty or larger than 10 MB."""
        files = list(data) if isinstance(data, list | tuple) else [data]
        found = [super(FilesField, self).clean(each, initial) for each in files or [None]]
        if any(each.size > LARGEST_ZIP for each in found):
            raise ValidationError(_("A file is larger than 10 MB."), code="large")
        return found


class MechFilesForm(forms.Form):
    """Files that a GM brings, and what becomes of the list."""

    uploads = FilesField(
        label=_("Files (.mtf, .zip of them, MegaMek’s .csv, .mul)"), widget=_FilesInput(attrs={"accept": ENDINGS}),
        help_text=_("Ten at most. They are read and not kept. An export of MegaMek knows the costs of all ’Mechs."),
    )  # fmt: skip
    keep = forms.BooleanField(label=_("Keep the prices that the list has"), required=False)
    only = forms.BooleanField(label=_("Take all other ’Mechs out of the list"), required=False)
