"""Leaving a seat, and machines that take over the seats of absent players."""

from __future__ import annotations

from facedown.core.errors import NotNow
from facedown.core.seats import Seat
from facedown.protocol.errors import BadMessage
from facedown.protocol.messages import Cmd
from facedown.server.store.base import SeatHolder
from facedown.server.table import facts
from facedown.server.table.actor import Actor
from facedown.server.table.seating.presence import replaceable_seats
from facedown.server.table.state import SeatPlace, TableState
from facedown.server.table.transaction import Transaction


def leave(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Leave a seat: before the deal it is free again, later it waits for its person or for a machine."""
    state = tx.state
    if state.phase == "open":
        tx.seat_holders.append(SeatHolder(actor.seat, "", b""))
        return tx.add(facts.SeatFreed(actor.seat), seat=actor.seat, command=actor.key(cmd)).v
    if state.phase != "playing":
        raise NotNow("the game is about to be dealt" if state.phase == "opening" else "the game is over")
    if state.place(actor.seat).left:
        raise NotNow("this seat was left already")
    return tx.add(facts.SeatLeft(actor.seat), seat=actor.seat, command=actor.key(cmd)).v


def leave_for_good(tx: Transaction, person: str, name: str) -> None:
    """Free the seats of a person before the deal; later leave them, under another name."""
    state = tx.state
    if state.phase == "open" and state.host == person:
        tx.add(facts.TableClosed("closed by the host"))
        return
    for seat in state.seats_of(person):
        if state.phase == "open":
            tx.seat_holders.append(SeatHolder(seat, "", b""))
            tx.add(facts.SeatFreed(seat), seat=seat)
            continue
        tx.add(facts.SeatRenamed(seat, name), seat=seat)
        if state.playing and not state.place(seat).left:
            tx.add(facts.SeatLeft(seat), seat=seat)


def replace(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Offer that a machine takes over another seat."""
    state = tx.state
    machine = state.substitute
    if cmd.machine not in (None, machine):
        raise NotNow(f"this table was set up with {machine} as the machine that takes over")
    place = _replaceable_place(state, actor, cmd)
    if place.offered is not None:
        raise NotNow(f"there is already an offer that {place.offered} takes over: agree to it instead")
    offer = facts.ReplacementOffered(place.seat, machine, actor.seat)
    entry = tx.add(offer, seat=actor.seat, command=actor.key(cmd))
    _replace_if_agreed(tx, place)
    return entry.v


def agree(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Agree that a machine takes over another seat."""
    place = _replaceable_place(tx.state, actor, cmd)
    if place.offered is None:
        raise NotNow("there is no offer that a machine takes over this seat")
    if actor.seat in place.agreed:
        raise NotNow("this seat has agreed already")
    entry = tx.add(facts.ReplacementAgreed(place.seat, actor.seat), seat=actor.seat, command=actor.key(cmd))
    _replace_if_agreed(tx, place)
    return entry.v


def take_back(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Take one's seat back from the machine that plays it. What the machine has sealed stays sealed."""
    state = tx.state
    if not state.playing:
        raise NotNow("no game is being played")
    if state.place(actor.seat).replaced_at is None:
        raise NotNow("no machine plays this seat")
    fact = facts.SeatReclaimed(actor.seat, state.match.decision)
    return tx.add(fact, seat=actor.seat, command=actor.key(cmd)).v


def _replaceable_place(state: TableState, actor: Actor, cmd: Cmd) -> SeatPlace:
    """The place that the command names; raises unless a machine may take it over."""
    if not state.playing:
        raise NotNow("no game is being played")
    if cmd.seat is None or cmd.seat > len(state.places) or cmd.seat == actor.seat:
        raise BadMessage("`seat` must be another seat of this table")
    if cmd.seat not in replaceable_seats(state, actor.attendance):
        raise NotNow("a machine can only take over once the player left, or has been gone too long")
    return state.place(cmd.seat)


def consent_needed(state: TableState, place: SeatPlace) -> tuple[Seat, ...]:
    """The seats that have to agree before a machine takes over: all other people who have not left."""
    return tuple(other.seat for other in state.people if other.seat != place.seat and not other.left)


def _replace_if_agreed(tx: Transaction, place: SeatPlace) -> None:
    if not set(consent_needed(tx.state, place)) <= set(place.agreed):
        return
    decision = tx.state.match.decision
    tx.add(facts.SeatReplaced(place.seat, place.offered or "", decision))
