"""Simulations and arenas: batches of games over processes, and their statistics."""
