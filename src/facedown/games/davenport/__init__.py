"""Davenport: get rid of your cards by winning rounds, highest card first. Two to seven seats."""

from __future__ import annotations

from typing import Final

from facedown.core.text.translation import Domain

message: Final = Domain(__name__)
"""The messages of this game; `locale` words them."""
