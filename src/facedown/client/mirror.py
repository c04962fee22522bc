"""A table as a server has told of it: what it is, what this seat sees, what happened, and the server's time.

Takes messages in and holds what follows from them. Knows no socket and no thread.
"""

from __future__ import annotations

import time
from typing import Any, Final

_PARTS: Final = ("state", "seats", "turn")
_NOTED: Final = {"over": ("result", "seed"), "rematch": ("next",)}
"""What an event says about the table itself, by its kind."""
_TURNED: Final = ("dealt", "revealed", "resigned")
_SAID: Final = 50
"""So much of what was said is known of a table."""


def changed(view: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A view with what is new in it: some parts replaced, some lists longer.

    >>> changed({"play": 1, "rounds": [1]}, {"put": {"play": 2}, "more": {"rounds": [2]}})
    {'play': 2, 'rounds': [1, 2]}
    """
    longer = {part: [*view[part], *added] for part, added in change.get("more", {}).items()}
    return {**view, **change.get("put", {}), **longer}


class Heard:
    """What is known of one table, from one seat or from the spectators' place."""

    def __init__(self, table: str, seat: int = 0) -> None:
        self.id = table
        self.seat = seat
        self.v = 0
        self.info: dict[str, Any] = {}
        """All about the table but the game itself, as it was told last."""
        self.view: dict[str, Any] | None = None
        self.legal: tuple[str, ...] = ()
        self.placed: str | None = None
        self.events: list[dict[str, Any]] = []
        """Everything that happened, oldest first."""
        self._missed: dict[int, int] = {}
        """Since when, by the server's time, seats are known not to be connected."""
        self._ahead: float | None = None
        """How far the server's time is ahead of this machine's steady clock, in milliseconds."""

    @property
    def decision(self) -> int:
        """The open decision; 0 where there is none."""
        turn = self.info.get("turn")
        return int(turn["decision"]) if turn else 0

    def milliseconds_left(self, seat: int) -> int | None:
        """How long a seat may still take, by the server's clock; None where no clock runs for it."""
        deadlines = (self.info.get("turn") or {}).get("deadlines", {})
        deadline = deadlines.get(str(seat))
        if deadline is None or self._ahead is None:
            return None
        return max(0, int(deadline - self._ahead - _steady()))

    def server_now(self) -> int:
        """What time it is at the server, in milliseconds since 1970; 0 before it has said so."""
        return 0 if self._ahead is None else int(self._ahead + _steady())

    def gone_since(self, seat: int) -> int | None:
        """When somebody left or was last connected, by the server's time; None where that is not known."""
        for event in reversed(self.events):
            if event["k"] in ("left", "back") and event.get("seat") == seat:
                if event["k"] == "left":
                    return int(event["at"])
                break
        return self._missed.get(seat)

    # --- taking in -----------------------------------------------------------------------------------

    def note_time(self, message: dict[str, Any]) -> None:
        """Set the clock by what the server says it is now; this machine's own date does not matter."""
        if "now" in message:
            self._ahead = message["now"] - _steady()

    def happened(self, message: dict[str, Any]) -> None:
        """An event; one that is known already changes nothing."""
        if message["v"] <= self.v:
            return
        self.v = message["v"]
        if "change" in message and self.view is not None:
            message["view"] = changed(self.view, message["change"])
        self.events.append(message)
        if self.info:  # what was missed comes before the table itself, which says all of it
            self._note(message)
        if "view" in message:
            self.view = message["view"]
        if "legal" in message:
            self.legal = tuple(message["legal"])
        if message["k"] in _TURNED:
            self.placed = None

    def _note(self, message: dict[str, Any]) -> None:
        """What an event says about the table itself."""
        for part in (*_PARTS, *_NOTED.get(message["k"], ())):
            if part in message:
                self.info[part] = message[part]
        if message["k"] == "said":
            self.info["said"] = [*self.info.get("said", ()), message][-_SAID:]

    def snapped(self, message: dict[str, Any]) -> None:
        """The whole table, in place of all that was known."""
        self.v = max(self.v, message["v"])
        self.info = message["table"]
        self.view = message["view"]
        self.legal = tuple(message["legal"])
        self.placed = message["placed"]
        self._note_missed()

    def here(self, seats: list[int], replaceable: list[int]) -> None:
        """These seats are connected now, and for these a machine may be offered."""
        for seat in self.info.get("seats", ()):
            seat["here"] = seat["seat"] in seats
            seat["replaceable"] = seat["seat"] in replaceable
        self._note_missed()

    def _note_missed(self) -> None:
        now = self.server_now()
        gone = [seat["seat"] for seat in self.info.get("seats", ()) if not seat["here"]]
        self._missed = {seat: self._missed.get(seat, now) for seat in gone}


def _steady() -> float:
    """Milliseconds on a clock that nobody sets."""
    return time.monotonic() * 1000
