"""Plain values of what is told: named tuples and dataclasses as objects, for JSON."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any


def plain_values(value: Any) -> dict[str, Any]:
    """A dataclass or named tuple as an object of plain values.

    >>> from facedown.core.parts.trainer import OfferedPick
    >>> plain_values(OfferedPick("E", "Emperor"))
    {'pick': 'E', 'name': 'Emperor'}
    """
    found: dict[str, Any] = _plain(value)
    return found


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value
