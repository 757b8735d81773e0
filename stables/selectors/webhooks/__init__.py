"""What webhooks send, and what is due."""
