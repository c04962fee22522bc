"""The store of a single server: SQLite in a data directory that no other server uses."""
