"""A server that changes its word during the game or in the record, and clients that remember what it said.

Each story is a conversation of a seat with such a server; the client's witness hears the difference at once.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from facedown.client import RestClient, SeatKey, ServerTable
from facedown.client.errors import BrokenPromise
from facedown.client.mirror import TableMirror
from facedown.client.witness import Witness
from facedown.core.chance import entropy_commitment, pick_commitment
from facedown.protocol.messages import Cmd, Ev, OpenedPick, Snap, decode_server_message
from facedown.protocol.views import ViewEncoder
from facedown.server.table import commands, seating
from facedown.server.table.actor import Actor, Attendance
from facedown.server.table.record import finished_record
from facedown.server.table.snapshot import snapshot_of
from facedown.server.table.updates import ViewerUpdates, missed_events
from tests.server.playing import Bench, entropy_of, nonce_of, order

ME = 1


def conversation(bench: Bench) -> list[Snap | Ev]:
    """Everything that the server sends to the seat of this story, from the first fact on."""
    snap = snapshot_of(bench.state, ME, "person 1", Attendance(), None, 0, ViewEncoder())
    updates = ViewerUpdates()
    sent: list[Snap | Ev] = [snap]
    for tx in bench.transactions:
        if tx.entries:
            ready = updates.updates(bench.state, tx.entries, Attendance, (ME,))[ME]
            sent += [received(frame) for frame in ready.frames]
    return sent


def received(frame: bytes) -> Ev:
    """An event as a client reads it from the wire."""
    message = decode_server_message(frame)
    assert isinstance(message, Ev)
    return message


@pytest.fixture(scope="module")
def played() -> Bench:
    bench = Bench(order("davenport", 3), seed=7)
    bench.begin()
    bench.play_out(random.Random("word"))
    return bench


def heard(bench: Bench, change: Any = lambda message: message) -> Witness:
    """The witness of the whole conversation, in which one message may be another."""
    witness = Witness(bench.table, ME, entropy_of(ME).hex())
    witness.note_opened()
    for decision, joint in enumerate(bench.state.match.picks, 1):
        if joint[ME - 1] is not None:
            nonce = nonce_of(decision, ME)
            commit = pick_commitment(bench.table, decision, ME, str(joint[ME - 1]), nonce).hex()
            witness.note_seal(decision, str(joint[ME - 1]), nonce.hex(), commit)
    for message in conversation(bench):
        sent = change(message)
        if isinstance(sent, Snap):
            witness.take_snapshot(sent)
        else:
            witness.take_event(sent, None)
    return witness


def test_an_honest_server_raises_no_alarm_and_its_record_is_what_was_sent(played: Bench) -> None:
    witness = heard(played)
    assert witness.alarm is None
    assert witness.memory.seals
    assert witness.differences(finished_record(played.state)) == []


class Seated:
    """Seat 1 at a table where seat 2 is taken as well, before anyone opens their entropy."""

    def __init__(self, game: str = "ecard", seats: int = 2) -> None:
        self.bench = Bench(order(game, seats), seed=7)
        for seat in (1, 2):
            self.bench.sit(seat)
        self.mirror = TableMirror(self.bench.table, ME)
        self.witness = Witness(self.bench.table, ME, entropy_of(ME).hex())
        self.witness.note_opened()
        self.comes(self.snapshot())

    def snapshot(self) -> Snap:
        return snapshot_of(self.bench.state, ME, "person 1", Attendance(), None, 0, ViewEncoder())

    def comes(self, message: Snap | Ev) -> None:
        if isinstance(message, Snap):
            self.mirror.take_snapshot(message)
            self.witness.take_snapshot(message)
        else:
            self.mirror.take_event(message)
            self.witness.take_event(message, self.mirror.info)

    def together(self) -> list[Ev]:
        """Everything that has happened since, in one group."""
        entries = self.bench.state.log[self.mirror.v :]
        update = ViewerUpdates().updates(self.bench.state, entries, Attendance, (ME,))[ME]
        return [received(frame) for frame in update.frames]


@pytest.mark.parametrize("words", [0, 2])
def test_what_is_said_together_with_the_deal_raises_no_alarm(words: int) -> None:
    me = Seated()
    for seat in (1, 2):
        me.bench.open(seat)
    for number in range(words):
        me.bench.act(2, Cmd(f"say-{number}", "say", text="Hello"))

    for message in me.together():
        me.comes(message)

    assert me.witness.alarm is None
    assert sorted(me.witness.memory.dealt) == [1, 2]


def test_entropy_without_a_promise_is_reported_with_the_deal() -> None:
    me = Seated()
    for seat in (1, 2):
        me.bench.open(seat)
    *before, last = me.together()
    assert last.seats is not UNSET
    mine, other = last.seats
    ground = msgspec.structs.replace(other, opened="00" * 32)

    for message in (*before, msgspec.structs.replace(last, seats=(mine, ground))):
        me.comes(message)

    assert me.witness.alarm is not None
    assert (me.witness.alarm.kind, me.witness.alarm.seat) == ("entropy", 2)


def test_another_player_on_a_seat_after_a_lost_connection_raises_no_alarm() -> None:
    me = Seated("davenport", 3)
    bench, entropy = me.bench, bytes(32)
    bench.act(2, Cmd("leave-2", "leave"))
    commit = entropy_commitment(bench.table, 2, entropy).hex()
    seating.join(bench.tx(), 2, "person 9", "Nina", commit, "token 9")
    bench.sit(3)
    nina = Actor(2, "person 9", "Nina", Attendance())
    commands.execute(bench.tx(), nina, Cmd("open-9", "open", entropy=entropy.hex()))
    for seat in (1, 3):
        bench.open(seat)

    for missed in missed_events(bench.state, ME, me.mirror.v):
        message = decode_server_message(missed)
        assert isinstance(message, Ev)
        me.comes(message)
    me.comes(me.snapshot())

    assert me.witness.alarm is None
    assert me.witness.memory.dealt[2] == ("person", commit)


def test_a_pick_that_was_exchanged_before_it_was_turned_is_reported_at_once(played: Bench) -> None:
    """The server knows all picks and turns another one for seat 2, with a nonce that fits a new seal."""

    def exchanged(message: Snap | Ev) -> Snap | Ev:
        if isinstance(message, Ev) and message.k == "revealed" and message.decision == 1 and message.opens:
            opens = tuple(
                each if each.seat == ME else OpenedPick(each.seat, each.pick, "ab" * 32)
                for each in message.opens
            )
            return msgspec.structs.replace(message, opens=opens)
        return message

    alarm = heard(played, exchanged).alarm
    assert alarm is not None
    assert (alarm.kind, alarm.decision) == ("seal", 1)


def test_my_own_pick_cannot_be_exchanged(played: Bench) -> None:
    def mine(message: Snap | Ev) -> Snap | Ev:
        if isinstance(message, Ev) and message.k == "sealed" and message.seat == ME and message.decision == 2:
            return msgspec.structs.replace(message, commit="cd" * 32)
        return message

    alarm = heard(played, mine).alarm
    assert alarm is not None
    assert (alarm.kind, alarm.decision, alarm.seat) == ("pick", 2, ME)


def test_denying_an_acknowledged_opening_is_reported_at_once(played: Bench) -> None:
    """`open` was acknowledged; then the server deals without it."""
    witness = Witness(played.table, ME, entropy_of(ME).hex())
    witness.note_opened()
    witness.take_event(Ev(9, "unopened", unopened=(1, 3)), None)
    assert witness.alarm is not None
    assert witness.alarm.kind == "unopened"


def test_another_promise_of_the_seed_is_noticed_by_a_client_that_was_away(played: Bench) -> None:
    """The memory outlives the process: a server that starts again with another seed is found out."""
    before = heard(played).write()
    after = Witness(played.table, ME, kept=before)
    snap = conversation(played)[0]
    assert isinstance(snap, Snap)
    after.take_snapshot(
        msgspec.structs.replace(snap, table=msgspec.structs.replace(snap.table, seed_commit="0" * 64))
    )
    assert after.alarm is not None
    assert after.alarm.kind == "promise"


def test_a_record_of_another_game_than_the_one_that_was_played(played: Bench) -> None:
    """The record holds another game, in which each seal fits its pick: only those who played know better."""
    other = Bench(order("davenport", 3), seed=8)
    other.begin()
    other.play_out(random.Random("another word"))
    record = replace(finished_record(other.state), id=played.table)
    kinds = {each.kind for each in heard(played).differences(record)}
    assert {"promise", "seal"} <= kinds


def test_play_is_stopped_and_the_evidence_is_a_file(played: Bench, tmp_path: Path) -> None:
    key = SeatKey("http://nowhere.invalid", played.table, ME, "token", entropy_of(ME).hex())
    table = ServerTable(RestClient(key.server), played.table, key, tmp_path / "heard.json")

    async def receive() -> None:
        for message in conversation(played):
            await table._receive(message)
        assert table.witness.alarm is None
        wrong = (OpenedPick(2, "AS", "00" * 32),)
        await table._receive(Ev(table.mirror.v + 1, "revealed", decision=1, opens=wrong))
        with pytest.raises(BrokenPromise, match="evidence"):
            await table.seal("AS", 1)

    asyncio.run(receive())
    assert table.evidence is not None
    assert msgspec.json.decode(table.evidence.read_bytes())["alarm"]["kind"] == "seal"
