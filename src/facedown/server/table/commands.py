"""Command handlers: what people and machines may do at a table.

A handler checks a command before it adds facts: a refused command adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from msgspec import UNSET

from facedown.core.chain import CLOCK, MACHINE
from facedown.core.chance import pick_commitment, table_nonce
from facedown.core.errors import NotNow
from facedown.core.game import Pick
from facedown.core.links import BLIND
from facedown.core.seats import SPECTATOR, Seat
from facedown.core.text.sanitise import one_line
from facedown.protocol.errors import (
    BadMessage,
    BadSeal,
    NeedsSession,
    NotSeated,
    NotYours,
    ReusedId,
    WrongDecision,
)
from facedown.protocol.messages import Ack, Cmd, GameResult, Hex32
from facedown.server.table import facts, seating
from facedown.server.table.actor import NO_COMMAND, Actor, CommandKey
from facedown.server.table.conduct import faults_of_players
from facedown.server.table.state import TableState
from facedown.server.table.transaction import Transaction


def execute(tx: Transaction, actor: Actor, cmd: Cmd) -> Ack:
    """Run a command and return its answer; a repeated command gets its first answer again."""
    known = answer_of_repeat(tx.state, actor, cmd)
    if known is not None:
        return known
    if cmd.do in _BY_HOST:
        seating.check_host(tx.state, actor, cmd.do)
    elif actor.seat == SPECTATOR and cmd.do not in ("say", "chat"):
        raise NotSeated("spectators can only watch and chat: take a seat to play")
    _check_seat(tx.state, actor)
    if cmd.do in _BY_PLAYER and actor.person and tx.state.place(actor.seat).kind == "machine":
        raise NotNow("a machine plays this seat now: take it back first")
    if cmd.do == "say":
        tx.state.check_message(actor.person, actor.seat)
    elif cmd.do not in _OF_THE_GAME:
        tx.state.check_change(actor.person)
    v = _HANDLERS[cmd.do](tx, actor, cmd)
    if actor.seat != SPECTATOR and cmd.do not in _BY_ABSENT:
        place = tx.state.place(actor.seat)
        if place.left and place.kind == "person":
            tx.add(facts.SeatReturned(actor.seat))
    return Ack(cmd.id, v, n=tx.state.link_numbers.get(v))


def _check_seat(state: TableState, actor: Actor) -> None:
    """Raise unless the seat is the actor's own at this moment; machines have no person."""
    if actor.seat == SPECTATOR or state.holds_seat(actor.person, actor.seat):
        return
    if actor.person or actor.seat > len(state.places) or state.place(actor.seat).kind != "machine":
        raise NotYours("this is not your seat any more")


def answer_of_repeat(state: TableState, actor: Actor, cmd: Cmd) -> Ack | None:
    """The first answer to a repeated command, None for a new one; raises `ReusedId` if the body differs."""
    key, digest = actor.key(cmd)
    known = state.answered.get((actor.seat, key))
    if known is None:
        return None
    if state.log[known - 1].digest != digest:
        raise ReusedId("this id was used for another command: send it with a new one")
    return Ack(cmd.id, known, n=state.link_numbers.get(known))


# --- the game --------------------------------------------------------------------------------------------


def _pick(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    state = tx.state
    if _is_blind(state):
        decision = _open_decision(state, cmd)
        fact = facts.PickSealed(decision, actor.seat, _check_blind_pick(state, actor.seat, cmd))
        spent = state.clocks.spent(actor.seat, tx.now)
        return tx.add(fact, seat=actor.seat, command=actor.key(cmd), spent=spent).v
    if cmd.pick is None or cmd.commit is None or cmd.nonce is None:
        raise BadMessage("a pick needs `pick`, `commit`, `nonce` and `decision`")
    decision = _open_decision(state, cmd)
    if _commitment(state, actor.seat, cmd.pick, cmd.nonce) != cmd.commit:
        raise BadSeal(
            "the commitment does not match: it must be made from this table, decision and its head, seat, "
            "pick and nonce"
        )
    return seal(tx, actor.seat, cmd.pick, cmd.commit, cmd.nonce, command=actor.key(cmd))


def _be_ready(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    if actor.seat not in tx.state.clocks.unready:
        raise NotNow("no clock waits for this seat")
    return tx.add(facts.SeatReady(actor.seat), seat=actor.seat, command=actor.key(cmd)).v


def _commitment(state: TableState, seat: Seat, pick: Pick, nonce: str) -> str:
    """The seal of a pick in the open decision."""
    decision, head = state.match.decision, state.decision_head
    return pick_commitment(state.id, decision, seat, head, pick, bytes.fromhex(nonce)).hex()


def seal(
    tx: Transaction,
    seat: Seat,
    pick: Pick,
    commit: Hex32,
    nonce: Hex32,
    *,
    command: CommandKey = NO_COMMAND,
    flag: bool = False,
    here: bool = False,
    machine: str = "",
) -> int:
    """Seal a pick, and reveal if it was the last. The one path of every pick: people, machines, the clock."""
    state = tx.state
    state.match.check_pick(seat, pick)
    decision = state.match.decision
    spent = state.clocks.spent(seat, tx.now)
    fact = facts.PickSealed(decision, seat, commit, flag, machine or UNSET, here or UNSET)
    entry = tx.add(fact, facts.PickSecret(pick, nonce), seat=seat, command=command, spent=spent)
    if state.step is None:
        tx.queue_turn_notices(before={seat})
    _reveal_if_complete(tx)
    return entry.v


def _reveal_if_complete(tx: Transaction, forfeited: tuple[Seat, ...] = ()) -> None:
    state = tx.state
    if state.step is None:
        return
    resigning = sorted(state.resigning)
    tx.add(facts.PicksRevealed(state.match.decision - 1, forfeited), state.newly_drawn())
    for seat in resigning:
        if seat in state.game.standing(state.match.state):
            tx.add(facts.SeatResigned(state.match.decision, seat))
    _end_or_continue(tx)


def _reveal(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    _open_decision(tx.state, cmd)
    v = _open_pick(tx, actor, cmd)
    _reveal_if_complete(tx)
    return v


def promise(tx: Transaction, seat: Seat, decision: int, machine: str, pick: Pick) -> bool:
    """Bind a machine to its pick before people seal; False if it is too late for that."""
    state = tx.state
    place = state.place(seat)
    if not state.playing or state.match.decision != decision or place.kind != "machine":
        return False
    if seat in state.promises or seat in state.seals:
        return False
    nonce = table_nonce(state.key, MACHINE, decision, seat).hex()
    commit = _commitment(state, seat, pick, nonce)
    tx.add(facts.PickPromised(decision, seat, commit, machine), facts.PickSecret(pick, nonce))
    return True


def place_promised(tx: Transaction, seat: Seat, decision: int) -> bool:
    """Place the pick that a machine has promised; False if it is not its turn."""
    state = tx.state
    if not state.playing or state.match.decision != decision or seat not in state.match.may_seal:
        return False
    promised = state.promises.get(seat)
    if promised is None or state.place(seat).kind != "machine":
        return False
    seal(tx, seat, promised.pick, promised.commit, promised.nonce, machine=promised.machine)
    return True


def apply_timeouts(
    tx: Transaction, now: int, chosen: Mapping[Seat, tuple[int, Pick]], here: Collection[Seat] = ()
) -> None:
    """Void a deal, or close the table, if people did not come in time; turn without picks that were not
    opened; seal the chosen picks of seats whose time is up.

    `chosen` holds the decision as well: a pick for a decision that is over is not sealed. The seats that are
    connected are `here`.
    """
    state, now = tx.state, min(now, tx.now)
    if state.open_until is not None and state.open_until <= now:
        if state.phase in ("open", "opening"):
            seating.give_up_deal(tx)
        else:
            forfeited = state.match.unopened
            state.forfeit(forfeited)
            _reveal_if_complete(tx, forfeited)
        return
    if not state.playing:
        return
    if state.comes_until is not None and state.comes_until <= now:
        seating.close_without(tx, state.clocks.unready)
        return
    for seat, (decision, pick) in chosen.items():
        if decision == state.match.decision and seat in state.clocks.due(now):
            _seal_by_clock(tx, seat, pick, seat in here)


def _seal_by_clock(tx: Transaction, seat: Seat, pick: Pick, here: bool) -> None:
    state = tx.state
    nonce = table_nonce(state.key, CLOCK, state.match.decision, seat).hex()
    seal(tx, seat, pick, _commitment(state, seat, pick, nonce), nonce, flag=True, here=here)


def _resign(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    state = tx.state
    decision = _decision_to_resign_in(state, cmd)
    if actor.seat not in state.game.standing(state.match.state):
        raise NotNow("this seat is out of the game")
    if state.open_until is not None:  # everybody is bound to this decision: it counts
        if actor.seat in state.resigning:
            return state.resigning[actor.seat]
        asked = facts.ResignationAsked(decision, actor.seat)
        return tx.add(asked, seat=actor.seat, command=actor.key(cmd)).v
    fact = facts.SeatResigned(decision, actor.seat)
    entry = tx.add(fact, seat=actor.seat, command=actor.key(cmd))
    _end_or_continue(tx)
    return entry.v


def _decision_to_resign_in(state: TableState, cmd: Cmd) -> int:
    """The open decision, also if its opening and a command for the one before it have crossed."""
    if state.playing and state.open_until is None and cmd.decision == state.match.decision - 1:
        return state.match.decision
    return _open_decision(state, cmd)


def _open_decision(state: TableState, cmd: Cmd) -> int:
    """The open decision; raises unless the command is for it."""
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
        tx.queue_turn_notices(before=())
        return
    replaced = tuple(state.replacements)
    result = GameResult(outcome.winner, outcome.termination, outcome.score, replaced)
    tx.add(facts.GameEnded(result, state.seed.hex()))
    tx.faults += faults_of_players(state, tx.now)
    tx.queue_notices_of_end()


# --- picks of a blind table ------------------------------------------------------------------------------


def _is_blind(state: TableState) -> bool:
    return state.setup.seal == BLIND


def _check_blind_pick(state: TableState, seat: Seat, cmd: Cmd) -> str:
    """The commitment of a pick that stays with its client; raises if the client sent more than that."""
    if cmd.pick is not None or cmd.nonce is not None or cmd.pad is not None or cmd.commit is None:
        raise BadMessage(
            "at this table a pick is sent as its `commit` and `decision` alone: `reveal` opens it later"
        )
    if seat not in state.match.may_seal:
        state.match.check_pick(seat, "")  # raises with the reason
    return cmd.commit


def _open_pick(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    state, seat = tx.state, actor.seat
    if cmd.pick is None or cmd.nonce is None:
        raise BadMessage("a reveal needs `pick`, `nonce` and `decision`")
    if state.open_until is None:
        reason = "keep the pick to yourself until everybody has sealed"
        raise NotNow(reason if _is_blind(state) else "at this table the server opens the picks itself")
    if seat not in state.match.unopened:
        raise NotNow("this seat has no pick to open")
    decision = state.match.decision
    if _commitment(state, seat, cmd.pick, cmd.nonce) != state.seals[seat].commit:
        raise BadSeal("this is not what was sealed: the commitment is another one")
    if cmd.pick not in state.match.legal(seat):
        raise state.game.refusal(state.match.state, seat, cmd.pick).at(decision=decision, seat=seat)
    secret = facts.PickSecret(cmd.pick, cmd.nonce)
    return tx.add(facts.PickOpened(decision, seat), secret, seat=seat, command=actor.key(cmd)).v


# --- chat, rematch and sharing ---------------------------------------------------------------------------


def _chat(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    if not actor.person:
        raise NeedsSession("only people with a session can talk here")
    text = None if cmd.text is None else one_line(cmd.text)
    if (not text) == (cmd.preset is None):
        raise BadMessage("a chat message needs either `text` or a `preset`")
    if tx.state.phase == "closed":
        raise NotNow("this table is closed")
    if not tx.state.chat_on:
        raise NotNow("the chat of this table is switched off")
    fact = facts.ChatSent(actor.seat, actor.name, text or None, cmd.preset)
    return tx.add(fact, seat=actor.seat, command=actor.key(cmd)).v


def link_rematch(tx: Transaction, actor: Actor, cmd: Cmd, table: str) -> Ack:
    """Link the rematch to this table; the first one counts."""
    state = tx.state
    if state.next is None:
        fact = facts.RematchLinked(actor.seat, table)
        return Ack(cmd.id, tx.add(fact, seat=actor.seat, command=actor.key(cmd)).v, table)
    return Ack(cmd.id, state.head, state.next)


def _share(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    if tx.state.phase != "over":
        raise NotNow("a game can be shared once it is over")
    return tx.add(facts.GameShared(actor.seat), seat=actor.seat, command=actor.key(cmd)).v


_OF_THE_GAME: Final = frozenset({"pick", "reveal", "open", "promise", "ready", "resign", "start", "close"})
"""Commands without which a game could not begin or end."""
_BY_HOST: Final = frozenset({"free", "fill", "start", "close"})
_BY_PLAYER: Final = frozenset({"pick", "open", "ready", "resign", "leave", "replace", "agree"})
"""Commands that a person may not send while a machine plays their seat."""
_BY_ABSENT: Final = frozenset({"leave", "open", "reveal", "promise", "ready"})
"""Commands after which a person who has left is still away: clients send all but `leave` automatically."""
_HANDLERS: Final[dict[str, Callable[[Transaction, Actor, Cmd], int]]] = {
    "pick": _pick,
    "reveal": _reveal,
    "open": seating.open_entropy,
    "promise": seating.promise_entropy,
    "ready": _be_ready,
    "resign": _resign,
    "leave": seating.leave,
    "say": _chat,
    "replace": seating.replace,
    "agree": seating.agree,
    "back": seating.take_back,
    "share": _share,
    "free": seating.release,
    "fill": seating.fill,
    "start": seating.start,
    "close": seating.close,
    "chat": seating.switch_chat,
}
