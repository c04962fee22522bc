"""The bots on the seats of one table: lets each choose when it may, binds it to its choice, and places that
after a moment. What they do goes through the table's inbox like any command.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from facedown.core.errors import FacedownError
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.server.table import commands
from facedown.server.table.bots import BotPlayers, BotTurn
from facedown.server.table.state import TableState
from facedown.server.table.transaction import TableJob, Transaction

RETRY_S: Final = 0.5
"""How long after a failure of the store the next try is."""
_LATE_MS: Final = 3000
"""How much later than a bot should have moved another server looks after it."""


class BotSeats:
    """Which bots of a table are choosing and placing right now, in this process."""

    __slots__ = ("_bots", "_enqueue", "_loop", "_placing", "_state", "_stopped", "_thinking")

    def __init__(
        self, bots: BotPlayers, state: Callable[[], TableState], enqueue: Callable[[TableJob], None]
    ) -> None:
        self._bots = bots
        self._state = state
        self._enqueue = enqueue
        self._loop = asyncio.get_running_loop()
        self._thinking: set[tuple[int, Seat]] = set()
        self._placing: set[tuple[int, Seat]] = set()
        self._stopped = False

    @property
    def busy(self) -> bool:
        """Whether a bot is choosing or about to place."""
        return bool(self._thinking or self._placing)

    def stop(self) -> None:
        """Wake no bot any more: this copy of the table was dropped."""
        self._stopped = True

    def forget(self) -> None:
        """The state was read again: `wake` finds out which bots have to choose."""
        self._thinking.clear()
        self._placing.clear()

    def wake(self) -> None:
        """Let every bot choose that has promised nothing yet, and every one place that may."""
        state = self._state()
        if self._stopped or not state.playing:
            return
        decision, may_seal = state.match.decision, state.match.may_seal
        choosing = state.unpromised
        if state.dealt_seats is None:  # dealt before machines promised: they promise when it is their turn
            choosing = tuple(each for each in may_seal if state.place(each).kind == "machine")
        for seat in choosing:
            machine = state.place(seat).machine
            if machine is None or seat in state.promises or (decision, seat) in self._thinking:
                continue
            self._thinking.add((decision, seat))
            self._bots.play(turn_of_bot(state, seat), machine, state.key, self._bind)
        due = [seat for seat in may_seal if seat in state.promises and state.place(seat).kind == "machine"]
        for seat in due:
            if (decision, seat) not in self._placing:
                self._placing.add((decision, seat))
                self._bots.after_a_moment((decision, seat), state.key, len(due) - 1, self._place)

    def wake_at(self, at: int) -> int | None:
        """When another server should look after the bots that have to move here, should this one be gone."""
        return bots_wake_at(self._state(), at, self._bots.pause)

    def _bind(self, turn: BotTurn, machine: str, pick: Pick) -> None:
        """A bot has chosen: from now on it is bound to its pick."""
        self._run(
            self._thinking,
            (turn.decision, turn.seat),
            lambda tx: commands.promise(tx, turn.seat, turn.decision, machine, pick),
        )

    def _place(self, decision: int, seat: Seat) -> None:
        self._run(self._placing, (decision, seat), lambda tx: commands.place_promised(tx, seat, decision))

    def _run(
        self, busy: set[tuple[int, Seat]], turn: tuple[int, Seat], run: Callable[[Transaction], bool]
    ) -> None:
        """Save what a bot does; tried again where the write failed."""

        def done(_: bool, error: FacedownError | None) -> None:
            busy.discard(turn)
            if error is not None:
                self._loop.call_later(RETRY_S, self.wake)

        self._enqueue(TableJob(run, done))


def bots_wake_at(state: TableState, at: int, pause: int) -> int | None:
    """When the node checks on the bots of a table; None if none of them has to move."""
    if not state.playing or not any(place.kind == "machine" for place in state.places):
        return None
    due = state.unpromised or any(state.place(each).kind == "machine" for each in state.match.may_seal)
    return at + pause + _LATE_MS if due else None


def turn_of_bot(state: TableState, seat: Seat) -> BotTurn:
    """The turn of a seat, as far as a bot may know it."""
    match = state.match
    return BotTurn(state.setup.game, state.id, match.decision, seat, match.view(seat), match.legal(seat))
