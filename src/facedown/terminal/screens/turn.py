"""The turn at one screen: whose hand it shows, the raised card, and the curtain of a shared screen."""

from __future__ import annotations

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.terminal.drawing.stage import Selection
from facedown.terminal.tables.table import TerminalTable


class ScreenTurn:
    """Whose turn it is at one screen of a table; knows no keys and paints nothing."""

    def __init__(self, table: TerminalTable) -> None:
        self._table = table
        self.shared = len(table.people) > 1
        """Whether several people share this screen."""
        self.viewer: Viewer = SPECTATOR if self.shared or not table.people else table.people[0]
        """Whose eyes everybody at the screen may look through."""
        self.seat: Seat = self.viewer
        """Whose hand is on the screen."""
        self.curtain: Seat = 0
        """The seat for which the screen waits, hiding everything; 0 for none."""
        self.decision = 0
        self.selection = Selection()

    @property
    def seats(self) -> list[Seat]:
        """The seats of this screen that may seal now."""
        return [seat for seat in self._table.may_seal if seat in self._table.people]

    def awaits_people(self) -> bool:
        """Whether a player at this screen has to go on."""
        asked = {seat for wave in self._table.pending for seat in wave}
        return bool(self._table.people) and (
            self._table.outcome is not None or not asked.isdisjoint(self._table.people)
        )

    def advance(self) -> None:
        """Go on to the open decision; the curtain falls if the device has to change hands."""
        decision = self._table.decision if self._table.started else 0
        seat = self.seat if not self.shared else self._hand_over()
        if (seat, decision) != (self.seat, self.decision):
            self._take(seat, decision)

    def _hand_over(self) -> Seat:
        """The seat whose hand may be shown."""
        if self._table.outcome is not None or not self.seats:
            self.curtain = 0
        elif (self.seat, self.decision) == (self.seats[0], self._table.decision):
            return self.seat
        else:
            self.curtain = self.seats[0]
        return SPECTATOR

    def open_curtain(self) -> None:
        """Show the hand of the player for whom the screen waited."""
        self._take(self.curtain, self._table.decision)
        self.curtain = 0

    def _take(self, seat: Seat, decision: int) -> None:
        self.seat, self.decision, self.selection = seat, decision, Selection()
