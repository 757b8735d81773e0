"""Results: what people report and count, and what a result writes into the books."""
