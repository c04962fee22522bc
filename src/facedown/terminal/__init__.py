"""The terminal client: tables on the full screen (Textual) and in line mode.

A game says how a terminal tells it in a module `text` of its folder: see `core.parts.text`.
"""
