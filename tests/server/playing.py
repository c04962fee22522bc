"""Playing a table without a network: orders, seals and whole games, for tests of what is behind the wire."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from msgspec.structs import replace

from facedown.core import registry
from facedown.core.chance import entropy_commitment, pick_commitment, seed_commitment
from facedown.protocol.messages import Ack, Clock, Cmd
from facedown.protocol.rest import MachineSeat, PersonSeat, TableOrder
from facedown.server.table import commands, seating
from facedown.server.table.actor import NOBODY, Actor, Attendance
from facedown.server.table.facts import from_row, to_row
from facedown.server.table.setup import NewTable, continuation_of, from_order, paired_table
from facedown.server.table.state import TableState
from facedown.server.table.transaction import Transaction


def entropy_of(seat: int) -> bytes:
    return hashlib.sha256(b"entropy of seat %d" % seat).digest()


def nonce_of(decision: int, seat: int) -> bytes:
    return hashlib.sha256(b"nonce %d %d" % (decision, seat)).digest()


def order(
    game: str, seats: int = 2, rules: str = "", machines: Sequence[int] = (), **more: object
) -> TableOrder:
    chairs = tuple(
        MachineSeat("uniform") if seat in machines else PersonSeat() for seat in range(1, seats + 1)
    )
    return TableOrder(game, chairs, rules, **more)  # type: ignore[arg-type]  # what an order may hold besides


def pick_command(state: TableState, decision: int, seat: int, pick: str, command: str = "") -> Cmd:
    nonce = nonce_of(decision, seat)
    commit = pick_commitment(state.id, decision, seat, state.decision_head, pick, nonce).hex()
    name = command or f"p{decision}-{seat}"
    return Cmd(name, "pick", decision=decision, pick=str(pick), commit=commit, nonce=nonce.hex())


class Bench:
    """One table whose facts are never stored; the test sets the time."""

    def __init__(self, asked: TableOrder, at: int = 1_000_000, seed: int | None = None) -> None:
        self.at = at
        new = from_order(asked, "host")
        if seed is not None:  # the same table again
            table, secret = "T" * 26, replace(new.secret, seed=f"{seed:064x}")
            commit = seed_commitment(table, bytes.fromhex(secret.seed)).hex()
            new = NewTable(table, replace(new.created, seed_commit=commit), secret)
        self._set_up(new)

    def _set_up(self, new: NewTable) -> None:
        self.state = TableState(new.id)
        self.transactions: list[Transaction] = []
        tx = self.tx()
        tx.add(new.created, new.secret)
        seating.go_on_if_full(tx)

    def go_on(self, keep: int, seat: int) -> Bench:
        """Another table, from a position of this one's finished game."""
        following = Bench.__new__(Bench)
        following.at = self.at
        following._set_up(continuation_of(self.state, keep, seat, "uniform", f"person {seat}"))
        return following

    @staticmethod
    def paired(game: str, people: int) -> Bench:
        """A table that was found for `person 1`, `person 2` and so on, who have 20 seconds to sit down."""
        bench = Bench.__new__(Bench)
        bench.at = 1_000_000
        named = [(f"person {seat}", f"Name {seat}") for seat in range(1, people + 1)]
        rules = str(registry.get(game).rules.read(""))
        bench._set_up(paired_table(game, rules, Clock("decision"), named, 20_000))
        return bench

    @property
    def table(self) -> str:
        return self.state.id

    @property
    def phase(self) -> str:
        return self.state.phase

    def tx(self) -> Transaction:
        tx = Transaction(self.state, self.at)
        self.transactions.append(tx)
        return tx

    def sit(self, seat: int, person: str = "", *, guest: bool = False) -> None:
        commit = entropy_commitment(self.table, seat, entropy_of(seat)).hex()
        person = person or f"person {seat}"
        seating.join(self.tx(), seat, person, f"Name {seat}", commit, f"token {seat}", guest=guest)

    def open(self, seat: int) -> Ack:
        return self.act(seat, Cmd(f"open-{seat}", "open", entropy=entropy_of(seat).hex()))

    def act(self, seat: int, cmd: Cmd, attendance: Attendance = NOBODY) -> Ack:
        machine = seat > 0 and self.state.place(seat).kind == "machine"
        person = "" if machine else f"person {seat}"
        return commands.execute(self.tx(), Actor(seat, person, f"Name {seat}", attendance), cmd)

    def begin(self) -> None:
        for place in self.state.people:
            self.sit(place.seat)
        for place in self.state.people:
            self.open(place.seat)

    def pick(self, seat: int, pick: str) -> Ack:
        decision = self.state.match.decision
        machine = self.state.place(seat).machine
        if machine is not None:  # no command of anybody's: the table binds it and places for it
            commands.promise(self.tx(), seat, decision, machine, str(pick))
            commands.place_promised(self.tx(), seat, decision)
            return Ack("", self.state.head)
        return self.act(seat, pick_command(self.state, decision, seat, pick))

    def play_out(self, source: random.Random) -> None:
        """Random legal picks to the end."""
        while self.state.playing:
            match = self.state.match
            for seat in self.state.unpromised:
                machine, pick = self.state.place(seat).machine or "", str(source.choice(match.legal(seat)))
                commands.promise(self.tx(), seat, match.decision, machine, pick)
            seat = source.choice(match.may_seal)
            self.pick(seat, source.choice(match.legal(seat)))

    def read_back(self) -> TableState:
        """The same table, from what the store would hold of it."""
        again = TableState(self.table)
        for entry in self.state.log:
            again.apply(from_row(to_row(entry)))
        return again


__all__ = ["Bench", "Clock", "entropy_of", "nonce_of", "order", "pick_command"]
