"""What happens to matches. `matches` alone writes the steps of one."""
