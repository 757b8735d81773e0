"""What pages and the interface show of a match: values and sentences, without a request."""
