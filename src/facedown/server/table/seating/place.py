"""A place at a table: the person or the machine on a seat, and what is agreed about it."""

from __future__ import annotations

from typing import final

from facedown.core.seats import Seat
from facedown.server.table import facts


@final
class SeatPlace:
    """A place at the table: its seat, and the person or machine on it."""

    __slots__ = (
        "agreed",
        "commit",
        "flagged",
        "guest",
        "kept_for",
        "kept_name",
        "kind",
        "left",
        "machine",
        "name",
        "offered",
        "opened",
        "person",
        "replaced_at",
        "seat",
    )

    def __init__(self, seat: Seat, chair: facts.SeatSetup) -> None:
        self.seat = seat
        self.kind = chair.kind
        self.machine = chair.machine
        self.kept_for = chair.kept_for
        self.kept_name = chair.kept_name or ""
        self.name = self.machine or ""
        self.clear()

    def clear(self) -> None:
        """Remove the person from this seat."""
        self.person: str | None = None
        self.guest = False
        """Whether the name is that of somebody who shares the person's device."""
        self.commit: str | None = None
        self.opened: str | None = None
        self.left = False
        self.flagged = False
        self.replaced_at: int | None = None
        self.offered: str | None = None
        """The machine that is offered to take over."""
        self.agreed: tuple[Seat, ...] = ()
        if self.kind == "person":
            self.name = ""

    @property
    def taken(self) -> bool:
        """Whether a person or a machine sits here."""
        return self.kind == "machine" or self.person is not None
