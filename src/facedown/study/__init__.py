"""For people who study games: explorers of solved positions, and trainers that ask and mark."""

from __future__ import annotations

from typing import Final

from facedown.core.text.translation import Domain

message: Final = Domain("facedown.core")
"""The messages of explorers and trainers; the core's catalogue words them."""
