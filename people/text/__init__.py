"""Words of accounts and their notices."""
