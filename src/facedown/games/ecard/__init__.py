"""E-Card: Emperor, Citizen, Slave. Two seats, three cards, and the question when to play the special one."""

from __future__ import annotations

from typing import Final

from facedown.core.text.translation import Domain

message: Final = Domain(__name__)
"""The messages of this game; `locale` words them."""
