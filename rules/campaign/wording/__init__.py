"""The sentences of the campaign's refusals; `refusals` brings the topics together."""
