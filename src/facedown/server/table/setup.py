"""Table setup: the first fact of a new table, from an order, as a rematch, or continuing a finished game."""

from __future__ import annotations

import secrets
from typing import Literal, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from facedown.bots.find import usual_bot
from facedown.core import registry
from facedown.core.chance import seed_commitment
from facedown.core.errors import IllegalSeats, NotNow
from facedown.core.fairness import BLIND, RANDOM
from facedown.core.match import check_seats
from facedown.core.replay import until
from facedown.core.seats import Seat
from facedown.protocol.errors import BadMessage, NotBlind
from facedown.protocol.messages import Clock, ContinuedGame, SealWay, Series
from facedown.protocol.rest import MachineSeat, TableOrder
from facedown.server.ids import new_table_id
from facedown.server.table.actor import digest_of
from facedown.server.table.facts import SeatSetup, TableCreated, TableSecret
from facedown.server.table.seating.hosting import check_bot
from facedown.server.table.state import TableState


class NewTable(NamedTuple):
    """A table that is about to be created: its id and its first fact."""

    id: str
    created: TableCreated
    secret: TableSecret


def from_order(order: TableOrder, host: str) -> NewTable:
    """The table that was ordered; raises where the order is not possible."""
    game = registry.get(order.game)
    rules = game.rules.read(order.rules)
    check_seats(game, len(order.seats))
    chairs = tuple(SeatSetup("machine" if each else "person", each) for each in _machines(order))
    substitute = order.substitute
    for machine in {chair.machine for chair in chairs} | {order.flag, substitute} - {RANDOM}:
        if machine:
            check_bot(game.name, machine)
    if order.hotseat and order.public:
        raise BadMessage("a table on one device cannot be public")
    if order.seal == BLIND:
        _check_blind(order)
    return _new_table(
        *(game.name, str(rules), chairs, host),
        clock=order.clock,
        flag=order.flag,
        public=order.public,
        watch=order.watch,
        hotseat=order.hotseat,
        substitute=substitute,
        chat=order.chat,
        seal=order.seal,
    )


def _check_blind(order: TableOrder) -> None:
    """Raise unless people can be there to open what they sealed, each on a device of their own."""
    if order.hotseat:
        raise NotBlind("on one device there is nothing to hide from the server: the device holds every pick")
    if order.clock.kind != "decision":
        raise NotBlind(
            "a table that the server cannot look into needs a clock of seconds: everybody has to be there "
            "to open what they sealed"
        )


def setup_digest(new: NewTable) -> bytes:
    """The digest of what was asked for: the same for all orders from which the same table follows."""
    return digest_of(msgspec.json.encode(replace(new.created, version=0, seed_commit="")))


def _machines(order: TableOrder) -> tuple[str | None, ...]:
    """The bots of an order by seat; None for a person's seat."""
    return tuple(seat.machine if isinstance(seat, MachineSeat) else None for seat in order.seats)


def rematch_of(state: TableState, host: str) -> NewTable:
    """The next table of the same people: each one seat further, with their seats reserved.

    A game that continued another one counts for nothing: after it, the series begins again.
    """
    created, seats = state.setup, len(state.places)
    chairs = [SeatSetup("person")] * seats
    for place, setup in zip(state.places, created.chairs, strict=True):
        chairs[place.seat % seats] = SeatSetup(
            setup.kind,
            setup.machine,
            place.person,
            place.name if place.person else UNSET,
        )
    return _new_table(
        *(created.game, created.rules, tuple(chairs), host),
        clock=created.clock,
        flag=created.flag,
        watch=created.watch,
        hotseat=created.hotseat,
        series=_next_in_series(state),
        substitute=created.substitute,
        chat=state.chat_on,
        seal=created.seal,
    )


def _next_in_series(state: TableState) -> Series:
    created, result, seats = state.setup, state.result, len(state.places)
    if created.continues is not None:
        return Series(1, (0,) * seats, 0, state.id)
    wins = [0] * seats
    for seat, before in enumerate(created.series.wins, 1):
        wins[seat % seats] = before + (result is not None and result.winner == seat)
    tied = result is not None and result.winner is None
    return Series(created.series.number + 1, tuple(wins), created.series.ties + tied, state.id)


def seats_against_bots(
    created: TableCreated, seat: Seat, machine: str | None, host: str
) -> tuple[SeatSetup, ...]:
    """One person on this seat, bots on all others; raises where that is not possible."""
    if not 1 <= seat <= len(created.chairs):
        raise IllegalSeats(f"there is no seat {seat} at this table")
    other = machine or usual_bot(created.game)
    check_bot(created.game, other)
    return tuple(
        SeatSetup("person", kept_for=host) if each == seat else SeatSetup("machine", other)
        for each in range(1, len(created.chairs) + 1)
    )


def continuation_of(state: TableState, keep: int, seat: Seat, machine: str | None, host: str) -> NewTable:
    """A table against bots whose game begins where a finished one stood after `keep` decisions.

    What was played there is taken over, and the new table says so; what comes after is its own.
    """
    if state.phase != "over":
        raise NotNow("only a finished game can be continued")
    chairs = seats_against_bots(state.setup, seat, machine, host)
    if keep >= len(state.match.picks):
        raise NotNow("the game was over at that point: there is nothing left to play")
    there = until(state.match.record(), keep)
    standing = there.game.standing(there.state)
    if standing and seat not in standing:
        raise NotNow(f"seat {seat} was out of the game at that point")
    made = _new_table(
        *(state.setup.game, state.setup.rules, chairs, host),
        version=state.setup.version,
        continues=ContinuedGame(state.id, keep),
    )
    drawn = tuple(str(each) for each in there.chance.drawn)
    return made._replace(secret=TableSecret(made.secret.seed, host, drawn, tuple(there.picks)))


def _new_table(
    game: str,
    rules: str,
    chairs: tuple[SeatSetup, ...],
    host: str,
    *,
    version: int | None = None,
    clock: Clock | None = None,
    flag: str = RANDOM,
    public: bool = False,
    watch: Literal["anyone", "nobody"] = "nobody",
    hotseat: bool = False,
    series: Series | None = None,
    continues: ContinuedGame | None = None,
    substitute: str = "",
    chat: bool = True,
    seal: SealWay = "server",
) -> NewTable:
    """The one place where a table gets its id, its seed, and the commitment to that seed."""
    table, seed = new_table_id(), secrets.token_bytes(32)
    created = TableCreated(
        game=game,
        version=registry.get(game, version).version,
        rules=rules,
        chairs=chairs,
        clock=clock or Clock(),
        flag=flag,
        public=public,
        watch=watch,
        hotseat=hotseat,
        series=series or Series(1, (0,) * len(chairs), 0, None),
        seed_commit=seed_commitment(table, seed).hex(),
        continues=continues,
        substitute=substitute,
        chat=chat,
        seal=seal,
    )
    return NewTable(table, created, TableSecret(seed.hex(), host))
