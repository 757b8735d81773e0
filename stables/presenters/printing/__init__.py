"""What sheets to print are made of."""
