"""The store of several servers: a PostgreSQL database, reached with asyncpg (the extra `postgresql`)."""
