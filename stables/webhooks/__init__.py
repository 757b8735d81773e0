"""How news leave the site: which addresses may be asked, what is sent, how it is signed and posted. No database."""
