"""Table setup: the first fact of a new table, from an order, as a rematch, or continuing a finished game."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from facedown.bots.house import usual_bots
from facedown.core import registry
from facedown.core.chance import seed_commitment
from facedown.core.clocks import grace_of
from facedown.core.errors import IllegalSeats, NotNow
from facedown.core.game import AnyGame, Game
from facedown.core.links import BLIND, RANDOM
from facedown.core.match import check_seats
from facedown.core.record import game_digest
from facedown.core.replay import until
from facedown.core.seats import Seat
from facedown.proof.checks import SOFTWARE
from facedown.protocol.errors import BadMessage, NotBlind
from facedown.protocol.messages import Clock, ContinuedGame, Series
from facedown.protocol.rest import MachineSeat, TableOrder
from facedown.server.clock import DAY_MS
from facedown.server.ids import new_table_id
from facedown.server.store.values import MACHINE_PREFIX
from facedown.server.table.actor import digest_of
from facedown.server.table.facts import OPENING_MS, SeatSetup, TableCreated, TableSecret
from facedown.server.table.record import finished_record
from facedown.server.table.seating import check_bot
from facedown.server.table.state import TableState

READY_S: Final = 20
"""How long a paired game waits after the deal for people who are not there."""
FIRST_READY_S: Final = 60
"""The same if it may be the first game of one of them, who reads the hints before the first pick."""


class NewTable(NamedTuple):
    """A table that is about to be created: its id and its first fact."""

    id: str
    created: TableCreated
    secret: TableSecret


def from_order(order: TableOrder, host: str) -> NewTable:
    """The table for an order; raises if the order is not possible."""
    game = registry.get(order.game)
    rules = game.rules.read(order.rules)
    check_seats(game, len(order.seats))
    chairs = tuple(
        SeatSetup("machine", each.machine) if isinstance(each, MachineSeat) else SeatSetup("person")
        for each in order.seats
    )
    for machine in {chair.machine for chair in chairs} | {order.flag, order.substitute} - {RANDOM}:
        if machine:
            check_bot(game.name, machine)
    if order.hotseat and order.public:
        raise BadMessage("a table on one device cannot be public")
    if order.seal == BLIND:
        _check_blind(order, game)
    return _new_table(
        host,
        TableCreated(
            game=game.name,
            version=game.version,
            rules=str(rules),
            chairs=chairs,
            clock=_clock_of(order.clock),
            flag=order.flag,
            public=order.public,
            watch=order.watch,
            hotseat=order.hotseat,
            series=_first_of_series(len(chairs)),
            seed_commit="",
            substitute=order.substitute,
            chat=order.chat,
            seal=order.seal,
            opening=_opening(order.clock),
            software=SOFTWARE,
        ),
    )


def paired_table(
    game: str,
    rules: str,
    clock: Clock,
    people: Sequence[tuple[str, str]],
    seating: int,
    ready: int = READY_S,
    *,
    challenge: bool = False,
) -> NewTable:
    """A table with a reserved seat for each of these people, given by id and name; it has no host.

    `seating` is how long they may take to sit down, `ready` how many seconds to be there after the deal."""
    return _new_table(
        "",
        TableCreated(
            game=game,
            version=registry.get(game).version,
            rules=rules,
            chairs=tuple(_paired_seat(*each) for each in people),
            clock=_clock_of(replace(clock, ready=ready)),
            flag=RANDOM,
            public=False,
            watch="anyone",
            hotseat=False,
            series=_first_of_series(len(people)),
            seed_commit="",
            opening=seating,
            seating=seating,
            challenge=challenge,
            software=SOFTWARE,
        ),
    )


def _paired_seat(person: str, name: str) -> SeatSetup:
    """The seat of a person, or of a machine of this name."""
    if person.startswith(MACHINE_PREFIX):
        return SeatSetup("machine", name)
    return SeatSetup("person", kept_for=person, kept_name=name)


def _clock_of(ordered: Clock) -> Clock:
    """The ordered clock with the server's grace; only clocks of seconds wait for anyone."""
    waits = ordered.ready if ordered.kind == "decision" else 0
    return replace(ordered, grace=grace_of(ordered.kind, ordered.seconds), ready=waits)


def _check_blind(order: TableOrder, game: AnyGame) -> None:
    """Raise unless every player can be there, on a device of their own, to open what they sealed."""
    if order.hotseat:
        raise NotBlind("on one device there is nothing to hide from the server: the device holds every pick")
    if type(game).forfeit is Game.forfeit:
        raise NotBlind(f"{game.meta.title} does not say what it costs not to open a sealed pick")
    if order.clock.kind != "decision":
        raise NotBlind(
            "a table that the server cannot look into needs a clock of seconds: everybody has to be there "
            "to open what they sealed"
        )


def setup_digest(new: NewTable) -> bytes:
    """The digest of a new table without what is random: orders for the same table have the same one."""
    return digest_of(msgspec.json.encode(replace(new.created, version=0, seed_commit="", software="")))


def rematch_of(state: TableState, host: str) -> NewTable:
    """The next table of the same people: each moves one seat further, and the seats are reserved.

    A game that continued another one does not count: after it, the series begins again.
    """
    created, seats = state.setup, len(state.places)
    chairs = [SeatSetup("person")] * seats
    for place, setup in zip(state.places, created.chairs, strict=True):
        chairs[place.seat % seats] = SeatSetup(
            setup.kind, setup.machine, place.person, place.name if place.person else UNSET
        )
    return _new_table(
        host,
        replace(
            created,
            chairs=tuple(chairs),
            public=False,
            series=_next_in_series(state),
            continues=None,
            software=SOFTWARE,
            opening=_opening(created.clock),
            seating=0,
            challenge=False,
            chat=state.chat_on,
        ),
    )


def _opening(clock: Clock) -> int:
    return DAY_MS if clock.kind == "correspondence" else OPENING_MS


def _first_of_series(seats: int) -> Series:
    return Series(1, (0,) * seats, 0, None)


def _next_in_series(state: TableState) -> Series:
    created, result, seats = state.setup, state.result, len(state.places)
    if created.continues is not None:
        return replace(_first_of_series(seats), previous=state.id)
    wins = [0] * seats
    for seat, before in enumerate(created.series.wins, 1):
        wins[seat % seats] = before + (result is not None and result.winner == seat)
    tied = result is not None and result.winner is None
    return Series(created.series.number + 1, tuple(wins), created.series.ties + tied, state.id)


def seats_against_bots(
    created: TableCreated, seat: Seat, machine: str | None, host: str
) -> tuple[SeatSetup, ...]:
    """One person on this seat, bots on all others; raises if that is not possible."""
    if not 1 <= seat <= len(created.chairs):
        raise IllegalSeats(f"there is no seat {seat} at this table")
    others = len(created.chairs) - 1
    machines = [machine] * others if machine else [*usual_bots(created.game, others)]
    for each in machines:
        check_bot(created.game, each)
    chairs = [SeatSetup("machine", each) for each in machines]
    chairs.insert(seat - 1, SeatSetup("person", kept_for=host))
    return tuple(chairs)


def continuation_of(state: TableState, keep: int, seat: Seat, machine: str | None, host: str) -> NewTable:
    """A table against bots whose game takes over the first `keep` decisions of a finished one."""
    if state.phase != "over":
        raise NotNow("only a finished game can be continued")
    chairs = seats_against_bots(state.setup, seat, machine, host)
    if keep >= len(state.match.picks):
        raise NotNow("the game was over at that point: there is nothing left to play")
    written = finished_record(state)
    past = until(written, keep)
    standing = past.game.standing(past.state)
    if standing and seat not in standing:
        raise NotNow(f"seat {seat} was out of the game at that point")
    digest = game_digest(json.loads(written.write()))
    new = _new_table(
        host,
        TableCreated(
            game=state.setup.game,
            version=state.setup.version,
            rules=state.setup.rules,
            chairs=chairs,
            clock=Clock(),
            flag=RANDOM,
            public=False,
            watch="nobody",
            hotseat=False,
            series=_first_of_series(len(chairs)),
            seed_commit="",
            continues=ContinuedGame(state.id, keep, len(past.chance.drawn), digest.hex()),
            software=SOFTWARE,
        ),
    )
    drawn = tuple(str(each) for each in past.chance.drawn)
    return new._replace(secret=TableSecret(new.secret.seed, host, drawn, tuple(past.picks)))


def _new_table(host: str, created: TableCreated) -> NewTable:
    """The one place where a table gets its id, its seed, and the commitment to that seed."""
    table, seed = new_table_id(), secrets.token_bytes(32)
    commit = seed_commitment(table, seed).hex()
    return NewTable(table, replace(created, seed_commit=commit), TableSecret(seed.hex(), host))
