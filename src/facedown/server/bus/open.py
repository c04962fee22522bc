"""Which bus a setting names."""

from __future__ import annotations

from facedown.core.errors import Unsupported
from facedown.server.bus.bus import Bus
from facedown.server.bus.local import LocalBus


def open_bus(url: str = "local:") -> Bus:
    """The bus of that address; `local:` is the only one there is."""
    if url != "local:":
        raise Unsupported(f"there is no bus {url!r}: only local: is supported", text=url)
    return LocalBus()
