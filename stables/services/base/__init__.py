"""What every service stands on: locks, the log, the ledger, deadlines, news."""
