"""What the owner of a stable does: joining, market, garage, line-ups, seats, and the solo evening."""
