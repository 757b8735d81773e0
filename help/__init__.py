"""The help of the site: rules, rulings, decisions, glossary, what cards do, who sees what. It makes no queries."""
