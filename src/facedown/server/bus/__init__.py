"""Hints between the parts of a server that a table has moved on; never the truth."""
