"""The market: prices, sealed baskets, help for a stable without a crew, and what to spend."""
