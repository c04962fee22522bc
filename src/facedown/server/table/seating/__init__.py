"""People at a table: joining, leaving, being replaced, hosting, presence and chat."""
