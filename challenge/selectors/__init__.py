"""Reads of events: their books folded, who may do what."""
