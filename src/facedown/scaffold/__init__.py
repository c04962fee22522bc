"""Scaffolds: the folders that `facedown new game` and `facedown new bot` write, from templates."""
