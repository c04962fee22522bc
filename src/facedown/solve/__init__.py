"""Exact answers about any small game, through `core.game` alone; the rest is refused in words."""
