"""The form that calls the final: who is present, who is drawn, and why a seat stays empty."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from challenge.forms.offers import offer
from challenge.presenters.day import called, seats_of, to_draw
from challenge.selectors.books import Book
from rules.challenge.ranking import SEATS


class FinalForm(forms.Form):
    """The pilots who have a right to a seat and are present; all are ticked at first. The GM draws between equals."""

    present = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    drawn = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, required=False)

    def __init__(self, book: Book, data: Any = None) -> None:
        self.book = book
        self.seats = seats_of(book)
        names = [seat.pilot.id for seat in self.seats]
        super().__init__(data, initial={"present": names})
        offer(self, "present", ((name, name) for name in names))
        offer(self, "drawn", ((seat.pilot.id, seat.pilot.id) for seat in self.seats if seat.is_level))

    def clean(self) -> dict[str, Any]:
        """Return the fields. Whoever is level at the cut must be drawn by number."""
        found: dict[str, Any] = super().clean() or self.cleaned_data
        present = found.get("present", [])
        needed = to_draw(self.book, present)
        drawn = [name for name in found.get("drawn", []) if name in present]
        if needed and len(drawn) != needed:
            self.add_error("drawn", _("Draw by lot who sits down, and tick as many as there are seats."))
        return found

    def finalists(self) -> list[str]:
        """Return who sits down, in the order of the seats."""
        return called(self.book, self.cleaned_data["present"], self.cleaned_data["drawn"])

    def by_lot(self) -> list[str]:
        """Return who sits down by lot."""
        return [name for name in self.finalists() if name in self.cleaned_data["drawn"]]

    def absent(self) -> list[str]:
        """Return who of the first eight is not there."""
        return [
            seat.pilot.id for seat in self.seats[:SEATS] if seat.pilot.id not in self.cleaned_data.get("present", [])
        ]
