"""What every app here needs of Django. The rules know nothing of it."""
