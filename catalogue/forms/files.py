"""The forms of a file: to check it, and to bring it into a collection."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalogue.services.files import ReadFile, file_problem, read_file, read_mapping
from catalogue.services.files import forms as forms_of_files
from catalogue.text import labels
from rules.catalogue.checklists import Checklist, read_checklist
from web.bounds import LARGEST_FILE, LARGEST_MAPPING


class FileForm(forms.Form):
    """A file and its form. The service refuses what it cannot read, and the page lists its problems."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,.csv,.tsv,.txt,application/json,text/csv", "required": True}),
    )
    form = forms.ChoiceField(
        label=_("Form of the file"),
        required=False,
        choices=lambda: [("", _("JSON or CSV, by its ending")), *labels.choices(forms_of_files())],
        help_text=_("A mapping reads files of another shape and reports what they lack."),
    )

    mapping = forms.FileField(
        label=_("A mapping of your own"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        help_text=_("A JSON file that says where each fact stands. Begin with a copy of one that comes with the game."),
    )

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, auto_id="file-%s", label_suffix="")

    def read(self) -> ReadFile:
        """Read the file that was sent, with its mapping, once only.

        Raises CatalogueError (file_missing, and the codes of read_mapping and read_file).
        """
        file = self.files.get("file")
        if file is None:
            raise file_problem("request", "file_missing")
        sent = self.files.get("mapping")
        mapping = None
        if sent is not None:
            mapping = read_mapping((sent.name or "mapping")[:80], sent.read(LARGEST_MAPPING + 1))
        # One byte more than allowed is enough for the refusal.
        return read_file((file.name or "upload")[:80], file.read(LARGEST_FILE + 1), self.data.get("form", ""), mapping)


class ImportForm(FileForm):
    """A file for a collection, and whether it is the whole of it."""

    replaces_all = forms.BooleanField(
        label=_("The file is the whole collection: take out what it does not hold"), required=False
    )

    @property
    def is_whole(self) -> bool:
        """Whether the file replaces the collection. "0" and "false" say no, as an empty box does."""
        return self.data.get("replaces_all", "") not in ("", "0", "false")


class ChecklistForm(forms.Form):
    """A checklist of figures. The reader refuses what it cannot read, and the page lists its problems."""

    file = forms.FileField(
        label=_("Checklist"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv", "required": True}),
        help_text=_(
            "A CSV file with the columns set and number; quantity and name may stand beside them. A list of one set "
            "may leave set out."
        ),
    )

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, auto_id="checklist-%s", label_suffix="")

    def read(self) -> Checklist:
        """Return the figures that are owned, and the rows that cannot be read.

        Raises CatalogueError (file_missing, file_too_large, and the codes of read_checklist).
        """
        file = self.files.get("file")
        if file is None:
            raise file_problem("request", "file_missing")
        name, content = (file.name or "upload")[:80], file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise file_problem(name, "file_too_large", limit=LARGEST_FILE)
        return read_checklist(name, content)
