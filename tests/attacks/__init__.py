"""Attacks on a real server, each one a story: what is tried, and what everybody else notices of it."""
