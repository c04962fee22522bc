"""HTTP: the REST endpoints, their framework and description, and the guard of connections."""
