"""Seats and viewers: seats are counted from 1, and a viewer without a seat is the spectator."""

from __future__ import annotations

from typing import Final, TypeAlias

Seat: TypeAlias = int
"""A place at the table, from 1 up."""

Viewer: TypeAlias = int
"""A seat, or `SPECTATOR`."""

SPECTATOR: Final[Viewer] = 0
"""Sees what everybody may see, and nothing else."""


def all_seats(count: int) -> tuple[Seat, ...]:
    """The seats of a table in seat order.

    >>> all_seats(3)
    (1, 2, 3)
    """
    return tuple(range(1, count + 1))


def viewer_name(viewer: Viewer) -> str:
    """How a viewer is called in messages.

    >>> viewer_name(2), viewer_name(SPECTATOR)
    ('seat 2', 'the spectator')
    """
    return "the spectator" if viewer == SPECTATOR else f"seat {viewer}"
