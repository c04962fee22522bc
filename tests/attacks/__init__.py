"""Attacks on a real server, each one a story: what is tried, and what all others notice of it."""
