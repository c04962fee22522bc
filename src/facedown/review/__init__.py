"""Reviews of finished games: winning chances, what picks cost, how predictable a player was."""

from __future__ import annotations

from typing import Final

from facedown.core.text.translation import Domain

message: Final = Domain("facedown.core")
"""The messages of reviews; the core's catalogue words them."""
