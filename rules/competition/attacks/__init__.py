"""Attacks: the options, the modifiers, the reactions, the dice and the consequences."""
