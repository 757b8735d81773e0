"""The base of all services: locks, the log, the ledger, deadlines, news."""
