"""An eavesdropper counts the bytes of encrypted frames: a play is as long as an exchange."""

from __future__ import annotations

import asyncio

import pytest

from facedown.client import RestClient, SeatKey, ServerTable
from facedown.core import registry
from facedown.protocol.messages import Ack, Cmd, encode
from facedown.protocol.views import ViewEncoder
from facedown.server.table.actor import Attendance
from facedown.server.table.snapshot import snapshot_of
from tests.server.playing import Bench, order, pick_command

OF_GAMES = pytest.mark.parametrize("game", registry.names())


def picks_of(bench: Bench) -> tuple[int, list[str]]:
    """The first seat that may seal, and the picks that it may seal."""
    seat = bench.state.match.may_seal[0]
    return seat, [str(pick) for pick in bench.state.match.legal(seat)]


def begun(game: str) -> Bench:
    bench = Bench(order(game, registry.get(game).meta.least_seats), seed=3)
    bench.begin()
    return bench


@OF_GAMES
def test_every_pick_of_a_decision_is_sent_in_as_many_bytes(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = begun(game)
    seat, picks = picks_of(bench)
    assert len({len(pick) for pick in picks}) > 1 or game != "davenport", "they do differ in length"
    sent: list[Cmd] = []

    async def send(_: ServerTable, command: Cmd) -> Ack:
        sent.append(command)
        return Ack(command.id, 1)

    monkeypatch.setattr(ServerTable, "_command", send)
    for pick in picks:
        key = SeatKey("http://nowhere.invalid", bench.table, seat, "token", "")
        asyncio.run(ServerTable(RestClient(key.server), bench.table, key).seal(pick, 1))
    assert len({len(encode(command)) for command in sent}) == 1
    assert len(sent) == len(picks)


@OF_GAMES
def test_a_returning_player_gets_every_own_pick_in_as_many_bytes(game: str) -> None:
    lengths = set()
    for pick in picks_of(begun(game))[1]:
        bench = begun(game)
        seat, _ = picks_of(bench)
        bench.act(seat, pick_command(bench.state, 1, seat, pick))
        snap = snapshot_of(bench.state, seat, f"person {seat}", Attendance(), None, 0, ViewEncoder())
        assert snap.placed == pick
        lengths.add(len(encode(snap)))
    assert len(lengths) == 1
