"""For people who study games: explorers of solved positions, and trainers that ask and mark."""

from __future__ import annotations

from typing import Final

from facedown.core.text.translation import Domain

message: Final = Domain(__name__)
"""The messages of explorers and trainers; `locale` words them."""
