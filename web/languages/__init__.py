"""The languages of the site: which are offered in which rooms, their catalogues, and how their words are ordered."""
