"""The sentences of notices: those of accounts, and those that other apps register."""
