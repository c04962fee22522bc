"""After the game: what the chances were, what picks cost, how readable somebody was, and how it is told."""
