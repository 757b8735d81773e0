"""The form of dates, times and numbers in German, such as "So, 22. November 2026, 19:00"."""

DATE_FORMAT = "D, j. F Y"
SHORT_DATE_FORMAT = "D, d.m.Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "D, j. F Y, H:i"
SHORT_DATETIME_FORMAT = "D, d.m.Y, H:i"
FIRST_DAY_OF_WEEK = 1
DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
NUMBER_GROUPING = 3
