"""What happens to accounts: log-ins, tokens, mails, leaving."""
