"""Hosting: what the person who set a table up may do with its seats."""

from __future__ import annotations

from facedown.bots.find import find_bot
from facedown.core.errors import NotNow
from facedown.core.match import check_seats
from facedown.protocol.errors import BadMessage, NotYours, SeatTaken
from facedown.protocol.messages import Cmd
from facedown.server.store.base import SeatHolder
from facedown.server.table import facts
from facedown.server.table.actor import Actor
from facedown.server.table.seating.joining import deal_if_ready
from facedown.server.table.state import SeatPlace, TableState
from facedown.server.table.transaction import Transaction


def check_host(state: TableState, actor: Actor) -> None:
    """Raise unless the actor set the table up and it still has free seats."""
    if not actor.person or actor.person != state.host:
        raise NotYours("only the host of the table may do this")
    if state.phase != "open":
        raise NotNow("the seats of a table can only be changed before everybody sits")


def switch_chat(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Switch the chat of the table on or off; at any time."""
    if not actor.person or actor.person != tx.state.host:
        raise NotYours("only the host of the table may do this")
    if cmd.on is None:
        raise BadMessage("the `chat` command needs `on`")
    return tx.add(facts.ChatSwitched(cmd.on), seat=actor.seat, command=actor.key(cmd)).v


def release(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Free a seat before the deal; the person on it, or with a reservation, loses it."""
    place = _place_before_deal(tx.state, cmd)
    if place.kind == "machine" or (place.person is None and place.kept_for is None):
        raise NotNow(f"no person has seat {place.seat}")
    tx.seat_holders.append(SeatHolder(place.seat, "", b""))
    return tx.add(facts.SeatReleased(place.seat), seat=actor.seat, command=actor.key(cmd)).v


def fill(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Put a machine on a free seat before the deal."""
    place = _place_before_deal(tx.state, cmd)
    if cmd.machine is None:
        raise BadMessage("the `fill` command needs `seat` and `machine`")
    if place.taken:
        raise SeatTaken(f"seat {place.seat} is taken")
    check_bot(tx.state.setup.game, cmd.machine)
    if not any(other.person is not None for other in tx.state.people if other is not place):
        raise NotNow("a person has to sit before the last seat is filled")
    entry = tx.add(facts.MachineSeated(place.seat, cmd.machine), seat=actor.seat, command=actor.key(cmd))
    deal_if_ready(tx)
    return entry.v


def start(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Start without the free seats at the end. Players cannot move up: entropy is committed to for a seat."""
    state = tx.state
    left = max((place.seat for place in state.places if place.taken), default=0)
    if not any(place.person is not None for place in state.people):
        raise NotNow("no person sits at this table yet")
    free = [place.seat for place in state.places[:left] if not place.taken]
    if free:
        raise NotNow(f"seat {free[0]} is free between others: fill it, or let a player sit there")
    check_seats(state.game, left)
    entry = tx.add(facts.SeatsDropped(left), seat=actor.seat, command=actor.key(cmd))
    deal_if_ready(tx)
    return entry.v


def close(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Close the table before its game has begun."""
    return tx.add(facts.TableClosed("closed by the host"), seat=actor.seat, command=actor.key(cmd)).v


def _place_before_deal(state: TableState, cmd: Cmd) -> SeatPlace:
    if cmd.seat is None or cmd.seat > len(state.places):
        raise BadMessage("`seat` must be a seat of this table")
    return state.place(cmd.seat)


def check_bot(game: str, machine: str) -> None:
    """Raise unless an installed bot of this name plays this game; never imports from a path."""
    if ":" in machine:
        raise BadMessage("a machine is given by its name, not by a path")
    find_bot(game, machine)
