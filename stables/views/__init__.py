"""What people ask of seasons and stables, one module a topic; addresses in stables.urls."""
