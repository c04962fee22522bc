"""Goofspiel: bid your cards for prizes. A game from another package, found by its entry point."""
