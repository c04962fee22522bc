"""Opening sealed picks at a blind table: the `reveal` command, and forfeits of seats that do not open."""

from __future__ import annotations

from facedown.core.chance import forfeit_stream, pick_commitment
from facedown.core.errors import NotNow
from facedown.core.fairness import BLIND, commits_of
from facedown.core.seats import Seat
from facedown.protocol.errors import BadMessage, BadSeal
from facedown.protocol.messages import Cmd
from facedown.server.table import facts
from facedown.server.table.actor import NO_COMMAND, Actor, CommandKey
from facedown.server.table.state import TableState
from facedown.server.table.transaction import Transaction


def is_blind(state: TableState) -> bool:
    """Whether picks are known to this table only once all have sealed."""
    return state.setup.seal == BLIND


def check_blind_pick(state: TableState, seat: Seat, cmd: Cmd) -> str:
    """The commitment of a pick that stays with its client; raises where more than that was sent."""
    if cmd.pick is not None or cmd.nonce is not None or cmd.pad is not None or cmd.commit is None:
        raise BadMessage(
            "at this table a pick is sent as its `commit` and `decision` alone: `reveal` opens it later"
        )
    if seat not in state.match.may_seal:
        state.match.check_pick(seat, "")  # raises, and says why
    return cmd.commit


def open_pick(tx: Transaction, actor: Actor, cmd: Cmd) -> int:
    """Open the pick that this seat has sealed; the number of its fact."""
    state, seat = tx.state, actor.seat
    if cmd.pick is None or cmd.nonce is None:
        raise BadMessage("a reveal needs `pick`, `nonce` and `decision`")
    if state.open_until is None:
        say = "keep the pick to yourself until everybody has sealed"
        raise NotNow(say if is_blind(state) else "at this table the server opens the picks itself")
    if seat not in state.match.unopened:
        raise NotNow("this seat has no pick to open")
    decision = state.match.decision
    commit = pick_commitment(state.id, decision, seat, cmd.pick, bytes.fromhex(cmd.nonce))
    if commit != state.seals[seat].commit:
        raise BadSeal("this is not what was sealed: the commitment is another one")
    if cmd.pick not in state.match.legal(seat):
        raise state.game.refusal(state.match.state, seat, cmd.pick).at(decision=decision, seat=seat)
    return _add(tx, seat, facts.PickSecret(cmd.pick, cmd.nonce), command=actor.key(cmd))


def forfeit_unopened(tx: Transaction) -> None:
    """Draw a pick for every seat that did not open its own in time."""
    state = tx.state
    decision, commits = state.match.decision, commits_of(state.seals.values())
    for seat in state.match.unopened:
        legal = state.match.legal(seat)
        drawn = legal[forfeit_stream(state.key, decision, seat, commits).below(len(legal))]
        _add(tx, seat, facts.PickSecret(str(drawn), ""), forfeit=True)


def _add(
    tx: Transaction,
    seat: Seat,
    secret: facts.PickSecret,
    *,
    command: CommandKey = NO_COMMAND,
    forfeit: bool = False,
) -> int:
    fact = facts.PickOpened(tx.state.match.decision, seat, forfeit)
    return tx.add(fact, secret, seat=seat, command=command).v
