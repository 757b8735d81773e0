"""How dates are written, in one package for each language: a translation adds its own beside `en`."""
