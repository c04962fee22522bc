"""Seats of a table: joining and the deal, leaving, machines that take over, and what the host may do."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from facedown.bots.find import find_bot
from facedown.core.chance import entropy_commitment
from facedown.core.errors import NotNow
from facedown.core.match import check_seats
from facedown.core.seats import Seat
from facedown.protocol.errors import BadMessage, BadSeal, NotYours, SeatTaken
from facedown.protocol.messages import Cmd
from facedown.server.ids import hash_token
from facedown.server.names import distinct_name
from facedown.server.store.values import SeatHolder
from facedown.server.table import facts
from facedown.server.table.actor import Actor
from facedown.server.table.conduct import faults_of_absent
from facedown.server.table.presence import replaceable_seats
from facedown.server.table.state import SeatPlace, TableState
from facedown.server.table.transaction import Transaction

NOT_EVERYONE: Final = "not everyone came"

# --- joining ---------------------------------------------------------------------------------------------


def join(
    tx: Transaction,
    seat: Seat,
    person: str,
    name: str,
    commit: str,
    token: str,
    *,
    guest: bool = False,
    one_device: bool = False,
    key: bytes = b"",
) -> None:
    """Take a seat, with a commitment to one's entropy; `guest`: for another player on the same device.

    The seat's token ends with the credential `key`."""
    state = tx.state
    if not 1 <= seat <= len(state.places):
        raise BadMessage(f"there is no seat {seat} at this table")
    place = state.place(seat)
    if state.phase == "closed":
        raise NotNow("this table is closed")
    if state.phase != "open" or place.taken:
        raise SeatTaken(f"seat {seat} is taken")
    if place.kept_for is not None and place.kept_for != person:
        raise SeatTaken(f"seat {seat} is reserved for another player")
    if state.setup.hotseat and person != state.host:
        raise NotYours("this table is played on one device: only its host can take seats")
    shared = state.setup.hotseat or (guest and not state.setup.public)
    if not shared and state.seats_of(person):
        raise SeatTaken("you already have a seat at this table")
    name = distinct_name(name, _names_of_others(state, person))
    state.check_change(person)
    tx.seat_holders.append(SeatHolder(seat, person, hash_token(token), key))
    tx.add(facts.PersonSeated(seat, name, commit, guest), facts.SeatOwner(person, one_device), seat=seat)
    go_on_if_full(tx)


def promise_entropy(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Commit to fresh entropy after a deal came to nothing."""
    state = tx.state
    if cmd.commit is None:
        raise BadMessage("the `promise` command needs `commit`")
    if state.phase != "open" or state.place(actor.seat).commit is not None:
        raise NotNow("a number is promised once for each deal, before all seats are taken")
    fact = facts.EntropyPromised(actor.seat, cmd.commit)
    entry = tx.add(fact, seat=actor.seat, command=actor.key(cmd))
    go_on_if_full(tx)
    return entry.v


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
    _deal_if_opened(tx)
    return entry.v


def go_on_if_full(tx: Transaction) -> None:
    """Fix the seats once all are taken and every person has committed to entropy."""
    state = tx.state
    if all(place.kind == "machine" or place.commit is not None for place in state.places):
        tx.add(facts.SeatsTaken())
        _deal_if_opened(tx)


def _deal_if_opened(tx: Transaction) -> None:
    """Deal if every person has opened their entropy."""
    state = tx.state
    if all(place.opened is not None for place in state.people):
        tx.add(facts.GameDealt(), state.deal())
        tx.queue_turn_notices(before=())


def give_up_deal(tx: Transaction) -> None:
    """The people of a table did not come in time: void the deal, and close a table made for them alone."""
    if tx.state.phase == "opening":
        void_deal(tx)
    if tx.state.setup.seating:
        missing = [place.seat for place in tx.state.people if place.person is None]
        tx.faults += faults_of_absent(tx.state, missing, tx.now)
        tx.add(facts.TableClosed(NOT_EVERYONE))


def close_without(tx: Transaction, absent: Collection[Seat]) -> None:
    """Close a table made for people of whom some are not there; they lose their seats."""
    tx.faults += faults_of_absent(tx.state, absent, tx.now)
    tx.seat_holders += [SeatHolder(seat, "", b"") for seat in sorted(absent)]
    tx.add(facts.TableClosed(NOT_EVERYONE))


def void_deal(tx: Transaction) -> None:
    """Free the seats of people who did not open their entropy in time, or have left; no game is dealt
    without everybody's entropy."""
    unopened = tuple(place.seat for place in tx.state.people if place.opened is None)
    left = [place.seat for place in tx.state.people if place.left and place.opened is not None]
    tx.seat_holders += [SeatHolder(seat, "", b"") for seat in (*unopened, *left)]
    tx.add(facts.DealVoided(unopened))
    for seat in left:
        tx.add(facts.SeatFreed(seat))


def rename(tx: Transaction, person: str, name: str) -> None:
    """Change a person's name on all their seats, but not on those of guests at their device."""
    for seat in tx.state.seats_of(person):
        place = tx.state.place(seat)
        shown = distinct_name(name, _names_of_others(tx.state, person))
        if place.name != shown and not place.guest:
            tx.state.check_change(person)
            tx.add(facts.SeatRenamed(seat, shown))


def name_shown(state: TableState, seat: Seat, name: str) -> str:
    """The name under which a seat's person talks; a spectator's is not that of a seat."""
    return state.place(seat).name if seat else distinct_name(name, _names_of_others(state, ""))


def _names_of_others(state: TableState, person: str) -> list[str]:
    """Without this person's own seats, which clients tell apart by their numbers."""
    return [place.name for place in state.places if place.name and place.person != person]


# --- leaving and replacement -----------------------------------------------------------------------------


def leave(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Leave a seat: before all are taken it is free again, later it waits for its person or for a machine."""
    state = tx.state
    if state.phase == "open":
        tx.seat_holders.append(SeatHolder(actor.seat, "", b""))
        return tx.add(facts.SeatFreed(actor.seat), seat=actor.seat, command=actor.key(cmd)).v
    if state.phase not in ("opening", "playing"):
        raise NotNow("the game is over" if state.phase == "over" else "this table is closed")
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
        if state.phase in ("opening", "playing") and not state.place(seat).left:
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
    fact = facts.SeatReclaimed(actor.seat, _first_decision(state, actor.seat))
    return tx.add(fact, seat=actor.seat, command=actor.key(cmd)).v


def _first_decision(state: TableState, seat: Seat) -> int:
    """The first decision that a new player of the seat makes: what is sealed stays sealed."""
    return state.match.decision + (seat in state.seals)


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
    decision = _first_decision(tx.state, place.seat)
    tx.add(facts.SeatReplaced(place.seat, place.offered or "", decision))


# --- hosting ---------------------------------------------------------------------------------------------


def check_host(state: TableState, actor: Actor, do: str) -> None:
    """Raise unless the actor set the table up and it has free seats; it may be closed until the deal."""
    if not actor.person or actor.person != state.host:
        raise NotYours("only the host of the table may do this")
    if state.phase != "open" and (do, state.phase) != ("close", "opening"):
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
    fact = facts.SeatReleased(place.seat, place.taken)
    return tx.add(fact, seat=actor.seat, command=actor.key(cmd)).v


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
    go_on_if_full(tx)
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
    go_on_if_full(tx)
    return entry.v


def close(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Close the table before its game has begun."""
    return tx.add(facts.TableClosed("closed by the host"), seat=actor.seat, command=actor.key(cmd)).v


def close_for_all(tx: Transaction, say: str) -> None:
    """Close the table at any time before its game is over; the reason is shown to everyone at it."""
    if tx.state.phase in ("over", "closed"):
        raise NotNow("its game is over" if tx.state.phase == "over" else "this table is closed")
    tx.add(facts.TableClosed(say))


def _place_before_deal(state: TableState, cmd: Cmd) -> SeatPlace:
    if cmd.seat is None or cmd.seat > len(state.places):
        raise BadMessage("`seat` must be a seat of this table")
    return state.place(cmd.seat)


def check_bot(game: str, machine: str) -> None:
    """Raise unless an installed bot of this name plays this game; never imports from a path."""
    if ":" in machine:
        raise BadMessage("a machine is given by its name, not by a path")
    find_bot(game, machine)
