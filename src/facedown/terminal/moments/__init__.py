"""Moments of a game at one screen: what is shown, what may be typed, and what Enter does.

Each is described here once; `lines` and `screens` draw it.
"""
