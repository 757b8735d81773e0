"""Everything that writes about accounts: log-ins, tokens, mails, leaving."""
