"""Command handlers: what people and machines may do at a table. Each is checked first, then added as facts.

A command that is refused has added nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from facedown.bots.find import current_name, find_bot
from facedown.core.chance import entropy_commitment, pick_commitment
from facedown.core.errors import NotNow
from facedown.core.game import Pick
from facedown.core.match import check_seats
from facedown.core.seats import SPECTATOR, Seat
from facedown.protocol.errors import BadMessage, BadSeal, NotSeated, NotYours, SeatTaken, WrongDecision
from facedown.protocol.messages import Ack, Cmd, GameResult, Hex32, ReplacedSeat
from facedown.server.ids import hash_token
from facedown.server.store.base import Notice, SeatHolder
from facedown.server.table import facts
from facedown.server.table.chat import chat_message
from facedown.server.table.presence import replaceable_seats
from facedown.server.table.state import SeatPlace, TableState
from facedown.server.table.transaction import Transaction


class Actor(NamedTuple):
    """The sender of a command: seat (0: a spectator), person and name."""

    seat: Seat
    person: str
    name: str
    away: frozenset[Seat] = frozenset()
    """The seats that are away at this moment."""


def execute(tx: Transaction, actor: Actor, cmd: Cmd) -> Ack:
    """Run a command; the answer names its first fact. A repeated command gets its first answer again."""
    key = _key(actor, cmd)
    known = tx.state.answered.get((actor.seat, key))
    if known is not None:
        return Ack(cmd.id, known)
    if cmd.do in _BY_HOST:
        _check_host(tx.state, actor)
    elif actor.seat == SPECTATOR and cmd.do != "say":
        raise NotSeated("spectators can only watch and chat: take a seat to play")
    _check_seat(tx.state, actor)
    v = _HANDLERS[cmd.do](tx, actor, cmd)
    if cmd.do != "leave" and actor.seat != SPECTATOR and tx.state.place(actor.seat).left:
        tx.add(facts.SeatReturned(actor.seat))
    return Ack(cmd.id, v)


def _check_seat(state: TableState, actor: Actor) -> None:
    """Raise unless the seat is the actor's own at this moment; machines have no person."""
    if actor.seat == SPECTATOR or state.holds_seat(actor.person, actor.seat):
        return
    if actor.person or actor.seat > len(state.places) or state.place(actor.seat).kind != "machine":
        raise NotYours("this is not your seat any more")


def _key(actor: Actor, cmd: Cmd) -> str:
    """The id under which the command is stored: unique for a seat, and for every spectator."""
    return cmd.id if actor.seat != SPECTATOR else f"{actor.person}:{cmd.id}"


# --- the game --------------------------------------------------------------------------------------------


def _pick(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    state = tx.state
    if cmd.pick is None or cmd.commit is None or cmd.nonce is None:
        raise BadMessage("a pick needs `pick`, `commit`, `nonce` and `decision`")
    decision = _open_decision(state, cmd)
    commit = pick_commitment(state.id, decision, actor.seat, cmd.pick, bytes.fromhex(cmd.nonce))
    if commit.hex() != cmd.commit:
        raise BadSeal(
            "the commitment does not match: it must be made from this table, decision, seat, pick and nonce"
        )
    return seal(tx, actor.seat, cmd.pick, cmd.commit, cmd.nonce, command=cmd.id)


def seal(
    tx: Transaction,
    seat: Seat,
    pick: Pick,
    commit: Hex32,
    nonce: Hex32,
    *,
    command: str = "",
    flag: bool = False,
) -> int:
    """Seal a pick, and reveal if it was the last. The one path of every pick: people, machines, the clock."""
    state = tx.state
    state.match.check_pick(seat, pick)
    decision = state.match.decision
    spent = state.clocks.spent(seat, tx.now)
    fact = facts.PickSealed(decision, seat, commit, flag)
    entry = tx.add(fact, facts.PickSecret(pick, nonce), seat=seat, command=command, spent=spent)
    if state.step is None:
        _queue_turn_notices(tx, before={seat})
    else:
        tx.add(facts.PicksRevealed(decision), state.newly_drawn())
        _end_or_continue(tx)
    return entry.v


def apply_timeouts(tx: Transaction, now: int, chosen: Mapping[Seat, tuple[int, Pick]]) -> None:
    """Deal without entropy that was not opened in time; seal the chosen picks of seats whose time is up.

    `chosen` holds the decision as well: a pick for a decision that is over is not sealed.
    """
    state = tx.state
    if state.phase == "opening" and state.opening_until is not None and state.opening_until <= now:
        _deal_without_missing(tx)
    if not state.playing:
        return
    for seat, (decision, pick) in chosen.items():
        if decision == state.match.decision and seat in state.clocks.due(now):
            _seal_by_clock(tx, seat, pick)


def _seal_by_clock(tx: Transaction, seat: Seat, pick: Pick) -> None:
    """Seal a pick for a seat whose time is up, marked as such."""
    nonce = secrets.token_bytes(32)
    decision = tx.state.match.decision
    commit = pick_commitment(tx.state.id, decision, seat, pick, nonce)
    seal(tx, seat, pick, commit.hex(), nonce.hex(), flag=True)


def _resign(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    state = tx.state
    decision = _open_decision(state, cmd)
    if actor.seat not in state.game.standing(state.match.state):
        raise NotNow("this seat is out of the game")
    fact = facts.SeatResigned(decision, actor.seat)
    entry = tx.add(fact, seat=actor.seat, command=cmd.id)
    _end_or_continue(tx)
    return entry.v


def _open_decision(state: TableState, cmd: Cmd) -> int:
    """The decision that is open, if it is the one that the command is for."""
    if not state.playing:
        raise NotNow("the game is over" if state.dealt else "the game has not started")
    decision = state.match.decision
    if cmd.decision != decision:
        asked = "names no decision" if cmd.decision is None else f"is for decision {cmd.decision}"
        raise WrongDecision(f"decision {decision} is open, but the command {asked}")
    return decision


def _end_or_continue(tx: Transaction) -> None:
    """After a reveal: end the game, or queue notices for the next decision."""
    state = tx.state
    outcome = state.match.outcome
    if outcome is None:
        _queue_turn_notices(tx, before=())
        return
    replaced = tuple(
        ReplacedSeat(place.seat, place.machine or "", place.replaced_at)
        for place in state.places
        if place.replaced_at is not None
    )
    result = GameResult(outcome.winner, outcome.termination, outcome.score, replaced)
    tx.add(facts.GameEnded(result, state.seed.hex()))


def _queue_turn_notices(tx: Transaction, before: Iterable[Seat]) -> None:
    """By correspondence, queue one push notice for each person whose turn has just begun."""
    state = tx.state
    if state.setup.clock.kind != "correspondence":
        return
    for seat, since in state.clocks.since.items():
        person = state.place(seat).person
        if since == tx.now and seat not in before and person is not None:
            tx.notices.append(Notice(person, state.id, state.match.decision, "turn"))


# --- seats and the deal ----------------------------------------------------------------------------------


def join(
    tx: Transaction, seat: Seat, person: str, name: str, commit: str, token: str, *, guest: bool = False
) -> None:
    """Take a seat, with a commitment to one's entropy; `guest`: for somebody who shares the device."""
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
    tx.seat_holders.append(SeatHolder(seat, person, hash_token(token)))
    tx.add(facts.PersonSeated(seat, name, commit, guest), facts.SeatOwner(person), seat=seat)
    deal_if_ready(tx)


def _open(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    state = tx.state
    place = state.place(actor.seat)
    if cmd.entropy is None:
        raise BadMessage("the `open` command needs `entropy`")
    if state.phase != "opening" or place.opened is not None:
        raise NotNow("entropy is opened once, after all seats are taken and before the deal")
    commit = entropy_commitment(state.id, actor.seat, bytes.fromhex(cmd.entropy))
    if commit.hex() != place.commit:
        raise BadSeal("this entropy does not match the commitment made on joining")
    entry = tx.add(facts.EntropyOpened(actor.seat, cmd.entropy), seat=actor.seat, command=cmd.id)
    deal_if_ready(tx)
    return entry.v


def deal_if_ready(tx: Transaction) -> None:
    """Deal, once every person has opened their entropy."""
    state = tx.state
    if state.phase == "opening" and all(place.opened is not None for place in state.people):
        _deal(tx)


def _deal_without_missing(tx: Transaction) -> None:
    """Deal without entropy that was not opened in time."""
    state = tx.state
    tx.add(facts.EntropyMissing(tuple(place.seat for place in state.people if place.opened is None)))
    _deal(tx)


def _deal(tx: Transaction) -> None:
    tx.add(facts.GameDealt(), tx.state.deal())
    _queue_turn_notices(tx, before=())


# --- leaving and replacement -----------------------------------------------------------------------------


def rename(tx: Transaction, person: str, name: str) -> None:
    """Change a person's name on all their seats, but not on those of guests at their device."""
    for seat in tx.state.seats_of(person):
        place = tx.state.place(seat)
        if place.name != name and not place.guest:
            tx.add(facts.SeatRenamed(seat, name))


def _leave(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    state = tx.state
    if state.phase == "open":
        tx.seat_holders.append(SeatHolder(actor.seat, "", b""))
        return tx.add(facts.SeatFreed(actor.seat), seat=actor.seat, command=cmd.id).v
    if state.phase != "playing":
        raise NotNow("the game is about to be dealt" if state.phase == "opening" else "the game is over")
    if state.place(actor.seat).left:
        raise NotNow("this seat was left already")
    return tx.add(facts.SeatLeft(actor.seat), seat=actor.seat, command=cmd.id).v


def _replace(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    state = tx.state
    if cmd.machine is None:
        raise BadMessage("the `replace` command needs `seat` and `machine`")
    place = _replaceable_place(state, actor, cmd)
    check_bot(state.setup.game, cmd.machine)
    if place.offered is not None:
        raise NotNow(f"there is already an offer that {place.offered} takes over: agree to it instead")
    offer = facts.ReplacementOffered(place.seat, cmd.machine, actor.seat)
    entry = tx.add(offer, seat=actor.seat, command=cmd.id)
    _replace_if_agreed(tx, place)
    return entry.v


def _agree(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    place = _replaceable_place(tx.state, actor, cmd)
    if place.offered is None:
        raise NotNow("there is no offer that a machine takes over this seat")
    if actor.seat in place.agreed:
        raise NotNow("this seat has agreed already")
    entry = tx.add(facts.ReplacementAgreed(place.seat, actor.seat), seat=actor.seat, command=cmd.id)
    _replace_if_agreed(tx, place)
    return entry.v


def _replaceable_place(state: TableState, actor: Actor, cmd: Cmd) -> SeatPlace:
    """The place that the command is about, if a machine may take it over."""
    if not state.playing:
        raise NotNow("no game is being played")
    if cmd.seat is None or cmd.seat > len(state.places) or cmd.seat == actor.seat:
        raise BadMessage("`seat` must be another seat of this table")
    if cmd.seat not in replaceable_seats(state, actor.away):
        raise NotNow("a machine can only take over a seat whose player left, is away, or ran out of time")
    return state.place(cmd.seat)


def consent_needed(state: TableState, place: SeatPlace) -> tuple[Seat, ...]:
    """The seats that have to agree before a machine takes over: all other people who have not left."""
    return tuple(other.seat for other in state.people if other.seat != place.seat and not other.left)


def _replace_if_agreed(tx: Transaction, place: SeatPlace) -> None:
    if not set(consent_needed(tx.state, place)) <= set(place.agreed):
        return
    tx.seat_holders.append(SeatHolder(place.seat, "", b""))
    decision = tx.state.match.decision
    tx.add(facts.SeatReplaced(place.seat, place.offered or "", decision))


def check_bot(game: str, machine: str) -> None:
    """Raise unless an installed bot of this name plays this game; never imports from a path."""
    if ":" in machine:
        raise BadMessage("a machine is given by its name, not by a path")
    find_bot(game, machine)


# --- what the host may do before the deal ----------------------------------------------------------------


def _check_host(state: TableState, actor: Actor) -> None:
    """Raise unless the actor set the table up and nothing is dealt or promised to be dealt."""
    if not actor.person or actor.person != state.host:
        raise NotYours("only the host of the table may do this")
    if state.phase != "open":
        raise NotNow("the seats of a table can only be changed before everybody sits")


def _release(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    place = _place_before_deal(tx.state, cmd)
    if place.kind == "machine" or (place.person is None and place.kept_for is None):
        raise NotNow(f"nobody has seat {place.seat}")
    tx.seat_holders.append(SeatHolder(place.seat, "", b""))
    return tx.add(facts.SeatReleased(place.seat), seat=actor.seat, command=_key(actor, cmd)).v


def _fill(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    place = _place_before_deal(tx.state, cmd)
    if cmd.machine is None:
        raise BadMessage("the `fill` command needs `seat` and `machine`")
    if place.taken:
        raise SeatTaken(f"seat {place.seat} is taken")
    machine = current_name(tx.state.setup.game, cmd.machine)
    check_bot(tx.state.setup.game, machine)
    if not any(other.person is not None for other in tx.state.people if other is not place):
        raise NotNow("somebody has to sit before the last seat is filled")
    entry = tx.add(facts.MachineSeated(place.seat, machine), seat=actor.seat, command=_key(actor, cmd))
    deal_if_ready(tx)
    return entry.v


def _start(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Start without the free seats at the end: entropy is promised for a seat's number, so nobody moves."""
    state = tx.state
    left = max((place.seat for place in state.places if place.taken), default=0)
    if not any(place.person is not None for place in state.people):
        raise NotNow("nobody sits at this table yet")
    free = [place.seat for place in state.places[:left] if not place.taken]
    if free:
        raise NotNow(f"seat {free[0]} is free between others: fill it, or let somebody sit there")
    check_seats(state.game, left)
    entry = tx.add(facts.SeatsDropped(left), seat=actor.seat, command=_key(actor, cmd))
    deal_if_ready(tx)
    return entry.v


def _close(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    return tx.add(facts.TableClosed("closed by the host"), seat=actor.seat, command=_key(actor, cmd)).v


def _place_before_deal(state: TableState, cmd: Cmd) -> SeatPlace:
    if cmd.seat is None or cmd.seat > len(state.places):
        raise BadMessage("`seat` must be a seat of this table")
    return state.place(cmd.seat)


# --- chat, rematch and sharing ---------------------------------------------------------------------------


def _chat(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    fact = chat_message(cmd, actor.seat, actor.name)
    if tx.state.phase == "closed":
        raise NotNow("this table is closed")
    return tx.add(fact, seat=actor.seat, command=_key(actor, cmd)).v


def link_rematch(tx: Transaction, actor: Actor, cmd: Cmd, table: str) -> Ack:
    """Link the rematch to this table; the first one counts."""
    state = tx.state
    if state.next is None:
        fact = facts.RematchLinked(actor.seat, table)
        return Ack(cmd.id, tx.add(fact, seat=actor.seat, command=cmd.id).v, table)
    return Ack(cmd.id, state.head, state.next)


def _share(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    if tx.state.phase != "over":
        raise NotNow("a game can be shared once it is over")
    return tx.add(facts.GameShared(actor.seat), seat=actor.seat, command=cmd.id).v


_BY_HOST: Final = frozenset({"free", "fill", "start", "close"})
_HANDLERS: Final[dict[str, Callable[[Transaction, Actor, Cmd], int]]] = {
    "pick": _pick,
    "open": _open,
    "resign": _resign,
    "leave": _leave,
    "say": _chat,
    "replace": _replace,
    "agree": _agree,
    "share": _share,
    "free": _release,
    "fill": _fill,
    "start": _start,
    "close": _close,
}
