"""The documentation site: pages of `docs/`, rules of games, a reference from docstrings."""
