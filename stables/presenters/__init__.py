"""What pages and the interface show of a season: values and sentences, without a request."""
