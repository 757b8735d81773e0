"""The form of dates, times and numbers in Polish, such as "Nd, 22 listopada 2026, 19:00"."""

DATE_FORMAT = "D, j E Y"
SHORT_DATE_FORMAT = "D, d.m.Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "D, j E Y, H:i"
SHORT_DATETIME_FORMAT = "D, d.m.Y, H:i"
FIRST_DAY_OF_WEEK = 1
DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "\xa0"
NUMBER_GROUPING = 3
