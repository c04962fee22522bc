"""Exact answers about any small game, through `core.game` alone; what cannot be handled is refused in words."""
