"""A server as one of several on one store: heartbeats, the common clock, claims, and the sweep."""
