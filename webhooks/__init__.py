"""How news leave the site: which addresses may be asked, how they are signed and posted. No database, no app knows
more."""
