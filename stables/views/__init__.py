"""The pages and forms of seasons and stables, one module for each topic; addresses in stables.urls."""
