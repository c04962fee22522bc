"""Honest games raise no alarm in the browser's witness: with clocks, forfeits, resignations, lost lines."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from facedown.core.chance import clock_stream
from facedown.protocol.messages import Clock, Cmd, Ev, Snap, encode
from facedown.protocol.rest import TableOrder
from facedown.server.table import commands
from facedown.server.table.record import finished_record
from tests.attacks.operator import FRIEND, LIVE, ME, Operator, blind, ordinary
from tests.needs import without
from tests.server.playing import entropy_of, nonce_of, order, pick_command
from tests.web.tools import NODE, run

GAMES: Final = 400 if os.environ.get("THOROUGH") else 12
TABLES: Final[tuple[Callable[[], TableOrder], ...]] = (
    ordinary,
    lambda: ordinary(LIVE),
    blind,
    lambda: order("ecard", 2, "classic", machines=(2,)),
    lambda: order("ecard", 2, "purse"),
    lambda: order("davenport", 3, clock=LIVE, seal="blind"),
    lambda: order("davenport", 4, "aces(placing=in_turn)", machines=(3,)),
    lambda: order("davenport", 3, clock=Clock("decision", seconds=10, bank=60)),
)


class Tape(Operator):
    """An honest table, and everything that the browser of seat 1 gets and does, in order."""

    def __init__(self, asked: TableOrder, source: random.Random) -> None:
        super().__init__(asked)
        self.source = source
        self.sealed: dict[tuple[int, int], str] = {}
        self.frames: list[Any] = []

    async def _give(self, message: Any) -> None:
        if isinstance(message, Ev | Snap):
            self.victim.mirror.v = message.v
        self.frames.append(json.loads(encode(message)))

    def note(self, act: str, **what: Any) -> None:
        self.frames += [{"t": "clock", "at": self.bench.at}, {"t": act, **what}]

    def do(self, what: Coroutine[Any, Any, None]) -> None:
        self.frames.append({"t": "clock", "at": self.bench.at})
        with pytest.raises(StopIteration):
            what.send(None)

    def connect(self) -> None:
        self.note("hello")
        self.do(self.greet())

    def plays(self) -> dict[str, Any]:
        """To the end of the game: what the witness is run over."""
        bench, state = self.bench, self.bench.state
        for place in state.people:
            bench.sit(place.seat)
        self.connect()
        for place in state.people:
            bench.open(place.seat)
        self.do(self.show())
        while state.playing:
            bench.at += self.source.randrange(3000)
            self.step()
            self.do(self.show())
            if self.source.random() < 0.1:
                self.connect()
        about = {"table": state.id, "entropy": entropy_of(ME).hex(), "game": state.setup.game}
        return {**about, "frames": self.frames, "record": json.loads(finished_record(state).write())}

    def step(self) -> None:
        bench, state, match = self.bench, self.bench.state, self.bench.state.match
        if state.open_until is not None and state.match.unopened:
            self.open_picks()
        elif state.unpromised:
            seat = state.unpromised[0]
            machine, pick = state.place(seat).machine or "", str(self.source.choice(match.legal(seat)))
            commands.promise(bench.tx(), seat, match.decision, machine, pick)
        elif bench.state.clocks.runs and self.source.random() < 0.05:
            bench.at = max(state.clocks.deadlines.values()) + 1
            commands.apply_timeouts(bench.tx(), bench.at, self.clock_picks())
        elif self.source.random() < 0.01 and self.may_resign(FRIEND):
            bench.act(FRIEND, Cmd(f"r{match.decision}", "resign", decision=match.decision))
        else:
            self.seal(self.source.choice(match.may_seal))

    def may_resign(self, seat: int) -> bool:
        match = self.bench.state.match
        return self.bench.state.place(seat).kind == "person" and seat in match.game.standing(match.state)

    def seal(self, seat: int) -> None:
        bench, state, decision = self.bench, self.bench.state, self.bench.state.match.decision
        if state.place(seat).kind == "machine":
            commands.place_promised(bench.tx(), seat, decision)
            return
        pick = str(self.source.choice(state.match.legal(seat)))
        cmd = pick_command(state, decision, seat, pick)
        if seat == ME:
            self.note("own", decision=decision, pick=pick, nonce=cmd.nonce)
        self.sealed[decision, seat] = pick
        ack = bench.act(seat, cmd if state.setup.seal != "blind" else replace(cmd, pick=None, nonce=None))
        if seat == ME:
            self.note("acked", decision=decision, n=ack.n)

    def open_picks(self) -> None:
        """Everyone opens, or the time for it ends."""
        bench, state, decision = self.bench, self.bench.state, self.bench.state.match.decision
        for seat in state.match.unopened:
            if seat != ME and self.source.random() < 0.1:
                continue
            if seat == ME:
                self.note("opens", decision=decision)
            nonce, pick = nonce_of(decision, seat).hex(), self.sealed[decision, seat]
            bench.act(seat, Cmd(f"o{decision}-{seat}", "reveal", decision, pick, nonce=nonce))
        if state.match.decision == decision and state.playing:
            bench.at += 61_000
            commands.apply_timeouts(bench.tx(), bench.at, {})

    def clock_picks(self) -> dict[int, tuple[int, str]]:
        state, decision = self.bench.state, self.bench.state.match.decision
        picks = {}
        for seat in state.match.may_seal:
            legal = state.match.legal(seat)
            picks[seat] = decision, str(legal[clock_stream(state.key, decision, seat).below(len(legal))])
        return picks


def test_honest_games_raise_no_alarm(tmp_path: Path) -> None:
    if NODE is None:
        without("there is no Node on this machine")
    tapes = [Tape(TABLES[seed % len(TABLES)](), random.Random(seed)).plays() for seed in range(GAMES)]
    file = tmp_path / "tapes.json"
    file.write_text(json.dumps(tapes), encoding="utf-8")
    done = run(str(NODE), "unit/witness_tapes.mjs", str(file))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[None, 0, [], []]] * GAMES
