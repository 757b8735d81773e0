"""A whole season as one JSON document: written, checked, and stored again. docs/operations.md tells operators how.

`document` writes it, `reading` and `checks` look at one before anything is stored, `storing` stores it. What belongs to
a season, field by field, stands in `plan`, `goods`, `results` and `played`; a test walks the models and finds what
nobody decided about.
"""
