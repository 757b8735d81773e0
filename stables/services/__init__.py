"""The only writers of a season. An act takes keyword arguments and is one transaction, unless it says otherwise.

Locks are taken in one order: season, cycle, round, fixture, stables by id.
"""
