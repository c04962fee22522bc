"""Events of games and deltas of views as messages hold them, and views as clients put them together.

`views` makes them; they hold what one viewer may know.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from facedown.core.views import Plain
from facedown.protocol.errors import BadMessage

ViewJson: TypeAlias = "dict[str, Plain]"
"""A view as it was sent: every field by its name."""


class GameEvent(Struct, frozen=True, omit_defaults=True):
    """A game event as this viewer may know it; `kind` "-" if it may not."""

    kind: str
    facts: dict[str, Any] | UnsetType = UNSET
    rules: tuple[str, ...] | UnsetType = UNSET


class ViewDelta(Struct, frozen=True, omit_defaults=True):
    """Delta between two views: `put` replaces fields, `more` appends to lists."""

    put: dict[str, Any] = {}
    more: dict[str, Any] = {}


def decode_view(view: msgspec.Raw) -> ViewJson | None:
    """The fields of an encoded view; None before the deal. Raises `BadMessage` for anything else."""
    try:
        return _views.decode(view)
    except msgspec.MsgspecError as error:
        raise BadMessage(f"not a view: {error}") from None


_views: Final[msgspec.json.Decoder[ViewJson | None]] = msgspec.json.Decoder(dict[str, Any] | None)


def apply_delta(view: ViewJson, change: ViewDelta) -> ViewJson:
    """A view after a delta: some fields replaced, some lists longer. Raises `BadMessage` if it does not fit.

    >>> apply_delta({"play": 1, "rounds": [1]}, ViewDelta(put={"play": 2}, more={"rounds": [2]}))
    {'play': 2, 'rounds': [1, 2]}
    """
    longer: ViewJson = {}
    for name, added in change.more.items():
        before = view.get(name)
        if not isinstance(before, list) or not isinstance(added, list):
            raise BadMessage(f"a delta appends to {name!r}, which is no list")
        longer[name] = [*before, *added]
    return {**view, **change.put, **longer}
