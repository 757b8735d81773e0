"""What seasons keep about a person: `rows` for the file of their data, `kinds` in words."""
