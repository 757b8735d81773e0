"""What files of 'Mechs would change, in lines for the preview."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from challenge.presenters.mechs import equipment_names
from rules.challenge.mech_files.gathering import Offered
from rules.challenge.mechs import MechModel

WHY: dict[str, str | Promise] = {
    "unknown_ending": _("Its name ends in none of .mtf, .zip, .csv, .mul."),
    "too_large": _("It is too large."),
    "no_name": _("It names no ’Mech."),
    "name_too_long": _("The name has more than 60 letters."),
    "no_tons": _("It has no tons from 20 to 100."),
    "no_movement": _("Its movement cannot be read."),
    "no_engine": _("Its engine cannot be read."),
    "no_armor": _("Its armor cannot be read."),
    "no_slots": _("It has no critical slots."),
    "twice": _("This ’Mech came in an earlier file or line."),
    "too_many": _("There are too many ’Mechs, and the rest is left out."),
    "bad_zip": _("It is no zip, or a damaged one."),
    "nested_zip": _("It is a zip within a zip."),
    "bad_path": _("Its path in the zip is not allowed."),
    "bad_member": _("It is damaged, encrypted or packed in an unusual way."),
    "empty_zip": _("It has no .mtf file."),
    "not_in_zip": _("Bring it beside the zip, not in it."),
    "no_heading": _("It has no line of headings with Name, Model, Tonnage and Cost."),
    "bad_fields": _("It has more or fewer fields than the headings."),
    "bad_xml": _("It is no XML, or damaged."),
    "doctype": _("It declares a document type or entities, and is not read."),
    "not_a_mech": _("It is no ’Mech."),
}
"""A sentence for each of `rules.challenge.mech_files.reading.UNREADABLE`."""

SOURCES: dict[str, str | Promise] = {
    "formula": _("house price: worked out by the formula"),
    "file": _("from the export"),
    "typed": _("typed"),
    "list": _("the list’s"),
}


@dataclass(frozen=True)
class FileLine:
    """A 'Mech of the files: what the list would have of it, where its cost comes from, and why there is none."""

    offered: Offered
    source: str | Promise
    equipment: tuple[str | Promise, ...]

    @property
    def field(self) -> str:
        """The name of the field for a typed price."""
        return field_of(self.offered)


def field_of(offered: Offered) -> str:
    """Return the name of the field in which a GM types the price of a 'Mech."""
    return f"price_{offered.id}"


def file_lines(offered: Iterable[Offered]) -> list[FileLine]:
    """Return the lines of a preview."""
    return [
        FileLine(
            each,
            SOURCES.get(each.source, ""),
            equipment_names(MechModel.read(each.id, {**each.document(), "cost": each.cost or 0})),
        )
        for each in offered
    ]
