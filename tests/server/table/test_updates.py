"""Live updates: bytes joined from parts equal those of the general encoder."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from facedown.core import registry
from facedown.core.seats import SPECTATOR
from facedown.protocol.deltas import ViewDelta, apply_delta, decode_view
from facedown.protocol.messages import Clock, Cmd, Ev, decode_server_message, encode
from facedown.protocol.views import ViewEncoder
from facedown.server.table import commands
from facedown.server.table.actor import NOBODY, Actor, command_key
from facedown.server.table.snapshot import snapshot_of
from facedown.server.table.updates import ViewerUpdates, missed_events, without_words
from tests.server.playing import Bench, order

_AFTER = ("state", "seats", "turn", "view", "change", "legal")
"""The fields of an event that hold the state after it."""
_TABLES = tuple(
    (game.name, seats, preset.name, machines)
    for game in map(registry.get, registry.names())
    for preset in game.rules.presets
    for seats in {game.meta.least_seats, min(4, game.meta.most_seats)}
    for machines in ((), (seats,))
)


class _Client:
    """The client of one viewer: folds updates, and compares the result with a snapshot."""

    def __init__(self, bench: Bench, viewer: int) -> None:
        self.viewer = viewer
        self.seen: dict[str, Any] = {}
        self._bench = bench

    def snapshot(self) -> dict[str, Any]:
        state = self._bench.state  # as its host, who may name everyone: others name no loser once it is over
        snap = snapshot_of(state, self.viewer, state.host, NOBODY, None, 0, ViewEncoder())
        shown: dict[str, Any] = json.loads(encode(snap))
        seen = {name: shown["table"][name] for name in ("state", "seats", "turn")}
        return seen | {"view": decode_view(snap.view), "legal": shown["legal"]}

    def compare(self) -> None:
        """Check that the folded updates equal a snapshot taken now."""
        expected = self.snapshot()
        for seen in (self.seen, expected):
            if seen.get("turn"):
                seen["turn"].pop("since", None)  # without a running clock, chat messages change it
        assert {name: expected[name] for name in self.seen if name != "legal"} == {
            name: value for name, value in self.seen.items() if name != "legal"
        }

    def receive(self, frame: bytes, general: bytes) -> None:
        message = decode_server_message(frame)
        assert isinstance(message, Ev)
        assert encode(message) == frame, "the same fields in the same order, encoded alike"
        event = json.loads(frame)
        after = {name: event.pop(name) for name in _AFTER if name in event}
        assert event == json.loads(general), "the event itself, as this viewer may know it"
        if "change" in after:
            assert isinstance(message.change, ViewDelta)
            after["view"] = apply_delta(self.seen["view"], message.change)
            del after["change"]
        self.seen |= after


def _act(bench: Bench, source: random.Random) -> None:
    """Do something that may happen at a table, mostly a pick."""
    state = bench.state
    bench.at += 1_000
    what = source.random()
    seat = source.choice(state.match.may_seal)
    if what < 0.1:
        speaker = source.choice((SPECTATOR, *(place.seat for place in state.people)))
        bench.act(speaker, Cmd(f"say{bench.at}", "say", preset="hello"))
    elif what < 0.15 and state.clocks.runs:
        bench.at += 60_000
        due = {
            each: (state.match.decision, str(state.match.legal(each)[0]))
            for each in state.clocks.due(bench.at)
        }
        commands.apply_timeouts(bench.tx(), bench.at, due)
    elif what < 0.17 and state.place(seat).kind == "person":
        bench.act(seat, Cmd(f"resign{bench.at}", "resign", decision=state.match.decision))
    else:
        for machine in state.unpromised:
            pick = str(source.choice(state.match.legal(machine)))
            commands.promise(
                bench.tx(), machine, state.match.decision, state.place(machine).machine or "", pick
            )
        bench.pick(seat, source.choice(state.match.legal(seat)))


@settings(max_examples=25)
@given(table=st.sampled_from(_TABLES), seed=st.integers(0, 1_000_000))
def test_joined_frames_equal_general_frames_for_every_game_viewer_and_event(
    table: tuple[str, int, str, tuple[int, ...]], seed: int
) -> None:
    game, seats, rules, machines = table
    source = random.Random(seed)
    clock = source.choice([Clock(), Clock("decision", seconds=10, bank=5)])
    bench = Bench(order(game, seats, rules, machines, clock=clock), seed=seed)
    clients = [_Client(bench, viewer) for viewer in range(seats + 1)]
    updates, before = ViewerUpdates(), 0
    for place in bench.state.people:
        bench.sit(place.seat)
    while before < bench.state.head and bench.state.head < 45:
        sent = updates.updates(bench.state, bench.state.log[before:], lambda: NOBODY, range(seats + 1))
        for client in clients:
            general = missed_events(bench.state, client.viewer, before)
            for frame, event in zip(sent[client.viewer].frames, general, strict=True):
                client.receive(frame, event)
            client.compare()
        before = bench.state.head
        if bench.state.phase == "opening":
            for place in bench.state.people:
                bench.open(place.seat)
        for _ in range(source.choice((1, 1, 2, 3))):  # several changes may share one update
            if bench.state.playing:
                _act(bench, source)


@pytest.mark.parametrize("game", registry.names())
def test_a_pick_that_does_not_lie_open_is_opened_to_its_own_seat_alone(game: str) -> None:
    table = registry.get(game)
    bench = Bench(order(game), seed=3)
    bench.begin()
    before = bench.state.head
    for seat in (1, 2):
        hidden = [pick for pick in bench.state.match.legal(seat) if not table.lies_open(pick)]
        bench.pick(seat, (hidden or bench.state.match.legal(seat))[0])
    sent = ViewerUpdates().updates(bench.state, bench.state.log[before:], lambda: NOBODY, range(3))
    revealed = {viewer: json.loads(update.frames[-1]) for viewer, update in sent.items()}
    picks = bench.state.step_results[bench.state.head].picks
    for viewer, event in revealed.items():
        known = [(each["seat"], each["pick"], each["nonce"]) for each in event["opens"]]
        assert known == [each for each in picks if each[0] == viewer or table.lies_open(each[1])]


@settings(max_examples=25)
@given(text=st.text(max_size=20), name=st.from_regex(r"\A[0-9A-Za-z_-]{1,32}\Z"))
def test_the_digest_of_a_command_leaves_out_its_id_and_nothing_else(text: str, name: str) -> None:
    one, two = Cmd(name, "say", text=text), Cmd("x", "say", text=text)
    assert command_key("p", one).digest == command_key("p", two).digest
    assert Actor(1, "p", "P").key(one) == command_key("p", one)
    assert command_key("p", one).digest != command_key("p", Cmd(name, "say", text=text + ".")).digest


def test_a_muted_message_still_carries_the_deal_in_the_same_update() -> None:
    bench = Bench(order("ecard", 2))
    for seat in (1, 2):
        bench.sit(seat)
    before = bench.state.head
    for seat in (1, 2):
        bench.open(seat)
    bench.act(2, Cmd("say-1", "say", text="Hello"))

    update = ViewerUpdates().updates(bench.state, bench.state.log[before:], lambda: NOBODY, (1,))[1]
    event = decode_server_message(without_words(update.frames[-1]))

    assert isinstance(event, Ev)
    assert (event.k, event.text, event.state) == ("-", UNSET, "playing")
    assert event.view is not UNSET
    assert decode_view(event.view) == _Client(bench, 1).snapshot()["view"]
