"""What every app here needs of Django, and no rule knows."""
