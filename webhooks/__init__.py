"""How news leave the site: the addresses that may be asked, signatures, and posting. It uses no database."""
