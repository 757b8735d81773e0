"""The only writers of a season. Arguments by keyword, one transaction each, frozen results.

Locks are taken in one order: round, fixture, stables by id.
"""
