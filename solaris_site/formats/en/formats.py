"""The form of dates and times in English, such as "Sun 22 Nov 2026, 19:00". No reader can mistake the day."""

DATE_FORMAT = "D j M Y"
SHORT_DATE_FORMAT = DATE_FORMAT
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "D j M Y, H:i"
SHORT_DATETIME_FORMAT = DATETIME_FORMAT
