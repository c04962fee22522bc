"""The rules written a second time, for differential tests. Imports nothing of the package it checks."""
