"""The addresses of the endpoints of seasons."""
