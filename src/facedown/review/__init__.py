"""Reviews of finished games: winning chances, what picks cost, how predictable a player was."""

from __future__ import annotations

from typing import Final

from facedown.core.text.translation import Domain

message: Final = Domain(__name__)
"""The messages of reviews; `locale` words them."""
