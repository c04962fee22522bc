"""A table that goes on from a position of a finished game, against machines: how it is set up.

What was played there is taken over as it is, and the new table says so; what comes after is its own.
"""

from __future__ import annotations

import secrets

from facedown.core.chance import seed_commitment
from facedown.core.errors import IllegalSeats, NotNow
from facedown.core.replay import until
from facedown.core.seats import Seat
from facedown.protocol.messages import Clock, Continues, Series
from facedown.server.ids import new_id
from facedown.server.table import facts
from facedown.server.table.bots import RANDOM, usual_machine
from facedown.server.table.commands import check_bot
from facedown.server.table.state import TableState


def chairs_from(state: TableState, seat: Seat, machine: str | None, host: str) -> tuple[facts.SeatSetup, ...]:
    """One person on this seat, machines on all others; raises where that cannot be."""
    if not 1 <= seat <= len(state.places):
        raise IllegalSeats(f"there is no seat {seat} at this table")
    game = state.made.game
    other = machine or usual_machine(game)
    check_bot(game, other)
    return tuple(
        facts.SeatSetup("person", kept_for=host) if place.seat == seat else facts.SeatSetup("machine", other)
        for place in state.places
    )


def continued(
    state: TableState, keep: int, seat: Seat, machine: str | None, host: str
) -> tuple[facts.TableCreated, facts.TableSecret, str]:
    """A new table whose game begins where a finished one stood after so many decisions."""
    if state.phase != "over":
        raise NotNow("one goes on from a game that is over")
    chairs = chairs_from(state, seat, machine, host)
    if keep >= len(state.match.picks):
        raise NotNow("the game was over there: nothing is left to be played")
    there = until(state.match.record(), keep)
    standing = there.game.standing(there.state)
    if standing and seat not in standing:
        raise NotNow(f"seat {seat} was out of the game there")
    made, table, seed = state.made, new_id(), secrets.token_bytes(32)
    following = facts.TableCreated(
        game=made.game,
        version=state.game.version,
        rules=made.rules,
        chairs=chairs,
        clock=Clock(),
        flag=RANDOM,
        public=False,
        watch="nobody",
        hotseat=False,
        series=Series(1, (0,) * len(chairs), 0, None),
        seed_commit=seed_commitment(table, seed).hex(),
        continues=Continues(state.id, keep),
    )
    drawn = tuple(str(each) for each in there.chance.drawn)
    return following, facts.TableSecret(seed.hex(), host, drawn, tuple(there.picks)), table
