"""The addresses of the endpoints."""
