"""A whole season as one JSON document: written, checked, and stored again. docs/operations.md is the operators' guide.

`document` writes it, `reading` and `checks` check one before anything is stored, `storing` stores it. `plan`, `goods`,
`results` and `played` list the fields of a season; a test walks the models and finds fields that they do not mention.
"""
