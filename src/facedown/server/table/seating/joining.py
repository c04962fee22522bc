"""Taking a seat, opening entropy, and the deal that follows from it."""

from __future__ import annotations

from facedown.core.chance import entropy_commitment
from facedown.core.errors import NotNow
from facedown.core.seats import Seat
from facedown.protocol.errors import BadMessage, BadSeal, NotYours, SeatTaken
from facedown.protocol.messages import Cmd
from facedown.server.ids import hash_token
from facedown.server.store.base import SeatHolder
from facedown.server.table import facts
from facedown.server.table.actor import Actor
from facedown.server.table.transaction import Transaction


def join(
    tx: Transaction, seat: Seat, person: str, name: str, commit: str, token: str, *, guest: bool = False
) -> None:
    """Take a seat, with a commitment to one's entropy; `guest`: for another player on the same device."""
    state = tx.state
    if not 1 <= seat <= len(state.places):
        raise BadMessage(f"there is no seat {seat} at this table")
    place = state.place(seat)
    if state.phase != "open" or place.taken:
        raise SeatTaken(f"seat {seat} is taken")
    if place.kept_for is not None and place.kept_for != person:
        raise SeatTaken(f"seat {seat} is reserved for another player")
    if state.setup.hotseat and person != state.host:
        raise NotYours("this table is played on one device: only its host can take seats")
    shared = state.setup.hotseat or (guest and not state.setup.public)
    if not shared and state.seats_of(person):
        raise SeatTaken("you already have a seat at this table")
    state.check_talk()
    tx.seat_holders.append(SeatHolder(seat, person, hash_token(token)))
    tx.add(facts.PersonSeated(seat, name, commit, guest), facts.SeatOwner(person), seat=seat)
    deal_if_ready(tx)


def open_entropy(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Open the entropy that the seat had committed to; after the last one the game is dealt."""
    state = tx.state
    place = state.place(actor.seat)
    if cmd.entropy is None:
        raise BadMessage("the `open` command needs `entropy`")
    if state.phase != "opening" or place.opened is not None:
        raise NotNow("entropy is opened once, after all seats are taken and before the deal")
    commit = entropy_commitment(state.id, actor.seat, bytes.fromhex(cmd.entropy))
    if commit.hex() != place.commit:
        raise BadSeal("this entropy does not match the commitment made on joining")
    entry = tx.add(facts.EntropyOpened(actor.seat, cmd.entropy), seat=actor.seat, command=actor.key(cmd))
    deal_if_ready(tx)
    return entry.v


def deal_if_ready(tx: Transaction) -> None:
    """Deal if every person has opened their entropy."""
    state = tx.state
    if state.phase == "opening" and all(place.opened is not None for place in state.people):
        _deal(tx)


def deal_without_missing(tx: Transaction) -> None:
    """Deal without entropy that was not opened in time."""
    state = tx.state
    tx.add(facts.EntropyMissing(tuple(place.seat for place in state.people if place.opened is None)))
    _deal(tx)


def _deal(tx: Transaction) -> None:
    drawn = tx.state.deal()
    tx.add(facts.GameDealt(), drawn)
    tx.queue_turn_notices(before=())


def rename(tx: Transaction, person: str, name: str) -> None:
    """Change a person's name on all their seats, but not on those of guests at their device."""
    for seat in tx.state.seats_of(person):
        place = tx.state.place(seat)
        if place.name != name and not place.guest:
            tx.state.check_talk()
            tx.add(facts.SeatRenamed(seat, name))
