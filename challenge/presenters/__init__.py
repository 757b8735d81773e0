"""What pages and interface show of events, without a request."""
