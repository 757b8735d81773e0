"""The pages and forms of seasons and stables, a folder for each topic; addresses in stables.urls."""
