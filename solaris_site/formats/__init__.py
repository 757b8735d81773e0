"""The forms of dates, in one package for each language. A translation adds a package like `en`."""
