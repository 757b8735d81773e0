"""The texts of the help, and what it reads of docs/rules.md, docs/rulings.md and docs/decisions.md."""
