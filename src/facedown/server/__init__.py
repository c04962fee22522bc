"""Tables online: people, tables, sockets and what keeps them; the only part that knows the network."""

from __future__ import annotations

from typing import Final

from facedown.core.text.translation import Domain

message: Final = Domain("facedown.core")
"""The messages of the server; the core's catalogue words them."""
