"""Tournaments: a stream of facts each, folded into standings; pairings are saved with their tables."""
