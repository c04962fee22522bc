"""Links on the wire: the events that are links of a table's chain."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import UNSET

from facedown.core.links import KINDS, Link, read_link
from facedown.protocol.errors import BadMessage
from facedown.protocol.messages import Ev

_KIND_OF_EVENT: Final = {"stood": "freed", "released": "freed", "renewed": "sat"}
"""Events whose link has another name; all others have the same."""


def link_of_event(event: Ev) -> Link | None:
    """The link that an event is; None for other events. Raises `UnreadableLink`."""
    if event.n is UNSET:
        return None
    kind = _KIND_OF_EVENT.get(event.k, event.k)
    names = KINDS.get(kind)
    if names is None:
        raise BadMessage(f"there is no link of the kind {kind[:40]!r}")
    values = [_plain(getattr(event, name)) for name in names]
    return read_link([kind, None if event.at is UNSET else event.at, *values])


def _plain(value: Any) -> Any:
    """A field of an event as it is in JSON."""
    if value is UNSET:
        return None
    if isinstance(value, int | str):
        return value
    return msgspec.json.decode(value if isinstance(value, msgspec.Raw) else msgspec.json.encode(value))
