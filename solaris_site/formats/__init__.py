"""How dates are written, one package a language: a translation adds its own beside `en`."""
