"""What can be entered on the board, one module for each topic; `rules.challenge.kinds` lists them all."""
