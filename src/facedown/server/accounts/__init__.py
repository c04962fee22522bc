"""People: guest accounts, session tokens, names and ratings."""
