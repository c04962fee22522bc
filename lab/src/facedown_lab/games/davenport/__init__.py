"""Davenport in the laboratory."""
