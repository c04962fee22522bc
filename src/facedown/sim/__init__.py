"""Simulations and arenas: chunks of games over processes, and their statistics."""
