"""The terminal's table, line by line: playing, the hot seat, and the telling of records.

A game says how a terminal tells it in a module `text` of its folder: see `core.parts.text`.
"""
