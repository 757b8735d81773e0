"""A whole season as one JSON document: written, checked, and stored again. docs/operations.md is the operators' guide.

`document` writes it. `reading` parses its text, `checks` checks it before anything is stored, and `storing` stores it.
`plan`, `goods`, `results` and `played` list the fields of a season; a test finds fields of models that they do not
mention.
"""
