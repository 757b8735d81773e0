"""The addresses of the puzzles of days."""

from __future__ import annotations

from datetime import date

from django.urls import path, register_converter

from matches.views import puzzles


class Day:
    """A day in an address, as ISO 8601 writes it."""

    regex = r"\d{4}-\d{2}-\d{2}"

    def to_python(self, value: str) -> date:
        """Return the day. Raises ValueError for a day that no calendar has, which means 404."""
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        return str(value)


register_converter(Day, "day")

app_name = "puzzles"
urlpatterns = [
    path("", puzzles.newest, name="newest"),
    path("<day:day>/", puzzles.show, name="show"),
    path("<day:day>/answer/", puzzles.answer, name="answer"),
    path("<day:day>/play-on/", puzzles.play_on, name="play_on"),
]
