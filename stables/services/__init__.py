"""The only writers of a season: keyword arguments, one transaction each, frozen results.

Locks are taken in one order: season, cycle, round, fixture, stables by id.
"""
