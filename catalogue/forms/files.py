"""The forms of a file: to check it, and to bring it into a collection."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalogue.services.files import ReadFile, file_problem, read_file
from catalogue.services.files import forms as forms_of_files
from catalogue.text import labels
from web.bounds import LARGEST_FILE


class FileForm(forms.Form):
    """A file and its form. The service refuses what it cannot read, and the page lists its problems."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,.csv,application/json,text/csv", "required": True}),
    )
    form = forms.ChoiceField(
        label=_("Form of the file"),
        required=False,
        choices=lambda: [("", _("JSON or CSV, by its ending")), *labels.choices(forms_of_files())],
        help_text=_("A mapping reads files of another shape and reports what they lack."),
    )

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, auto_id="file-%s", label_suffix="")

    def read(self) -> ReadFile:
        """Read the file that was sent, once only. Raises CatalogueError (file_missing, and the codes of read_file)."""
        file = self.files.get("file")
        if file is None:
            raise file_problem("request", "file_missing")
        # One byte more than allowed is enough for the refusal.
        return read_file((file.name or "upload")[:80], file.read(LARGEST_FILE + 1), self.data.get("form", ""))


class ImportForm(FileForm):
    """A file for a collection, and whether it is the whole of it."""

    replaces_all = forms.BooleanField(
        label=_("The file is the whole collection: take out what it does not hold"), required=False
    )

    @property
    def is_whole(self) -> bool:
        """Whether the file replaces the collection. "0" and "false" say no, as an empty box does."""
        return self.data.get("replaces_all", "") not in ("", "0", "false")
