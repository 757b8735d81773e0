"""The one form of a moment, which no reader can take for another day: "Sun 22 Nov 2026, 19:00"."""

DATE_FORMAT = "D j M Y"
SHORT_DATE_FORMAT = DATE_FORMAT
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "D j M Y, H:i"
SHORT_DATETIME_FORMAT = DATETIME_FORMAT
