"""A store over several PostgreSQL clusters."""
