"""The client against a real server: whole games, lost connections, killed servers, refusals, views."""

from __future__ import annotations

import json
import time
from pathlib import Path

import msgspec
import pytest

from facedown.client import Address, BlockingTable, RestClient, ServerLost, ServerRefused
from facedown.client.decode import read_events, read_view
from facedown.client.errors import BadAddress
from facedown.core import registry
from facedown.core.events import Seen
from facedown.core.game import FORFEIT
from facedown.core.replay import start, turns, verify
from facedown.core.seats import all_seats
from facedown.core.views import plain
from facedown.protocol.deltas import GameEvent, decode_view
from facedown.protocol.messages import Clock
from facedown.protocol.rest import MachineSeat, PersonSeat, TableOrder
from facedown.protocol.views import game_event
from tests.client.players import pick_when_due, signed_in, take_seat
from tests.patience import PATIENCE
from tests.server.running import Server as Running
from tests.terminal.consoles import fixtures

PERSON = PersonSeat()
OF_GAMES = pytest.mark.parametrize("game", registry.names())


@OF_GAMES
def test_a_whole_game_of_two_people(running: Running, game: str) -> None:
    ann, bo = (signed_in(running.base, name) for name in ("Ann", "Bo"))
    made = ann.make(TableOrder(game, (PERSON, PERSON)))
    tables = [take_seat(ann, made.table, 1), take_seat(bo, made.table, 2, made.invite)]

    while any(table.mirror.info.state != "over" for table in tables):
        for place, table in enumerate(tables):
            if table.mirror.info.state != "over" and table.mirror.may_pick:
                pick_when_due(table, place)
            table.wait(0.005)

    record = ann.record(made.table)
    assert record.seats == ("Ann", "Bo")
    assert [finding.holds for finding in verify(record)][:2] == [True, True]
    for person, table in zip((ann, bo), tables, strict=True):
        assert [event.v for event in table.mirror.events] == list(range(1, table.mirror.v + 1))
        assert table.mirror.view == decode_view(person.table(made.table).view), "deltas add up to the view"
        assert table.mirror.info.seed is not None
        view = read_view(registry.get(game), table.mirror.view or {})
        assert view.outcome is not None
        table.close()


@OF_GAMES
def test_a_view_is_read_back_as_the_game_made_it(game: str) -> None:
    """For every viewer of many records: written as the server writes it, and read."""
    played = registry.get(game)
    for record in [each for each in fixtures() if each.game == game][::40]:
        match = start(record)
        for turn in turns(record, match):
            for viewer in (0, *all_seats(len(record.seats))):
                view = match.view(viewer)
                assert read_view(played, json.loads(json.dumps(plain(view)))) == view
            sent = msgspec.json.encode([game_event(each.seen_by(1)) for each in turn.step.events])
            seen = read_events(msgspec.json.decode(sent, type=list[GameEvent]))
            known = [each.seen_by(1) for each in turn.step.events]
            assert seen == tuple(
                Seen(each.kind, dict(each.facts), each.rules) for each in known if isinstance(each, Seen)
            )


def test_a_value_that_is_no_view_is_refused() -> None:
    with pytest.raises(ServerLost, match="does not understand"):
        read_view(registry.get(registry.names()[0]), {"viewer": 1})


def test_a_killed_server_loses_no_pick_and_gets_none_twice(tmp_path: Path) -> None:
    game = registry.names()[-1]
    running = Running(tmp_path / "data").start()
    try:
        ann = signed_in(running.base, "Ann")
        machine = MachineSeat("uniform")
        made = ann.make(TableOrder(game, (PERSON, machine)))
        table = take_seat(ann, made.table, 1)
        picks = 0
        for number in range(4):
            picks += pick_when_due(table)
            if number % 2:
                running.kill()
                running.start()
        while pick_when_due(table):
            picks += 1
        record = ann.record(made.table)
        assert sum(joint[0] is not None for joint in record.picks) == picks
        assert [event.v for event in table.mirror.events] == list(range(1, table.mirror.v + 1))
        table.close()
    finally:
        running.close()


def test_another_device_goes_on_and_the_first_reads(running: Running) -> None:
    game = registry.names()[-1]
    ann = signed_in(running.base, "Ann")
    made = ann.make(TableOrder(game, (PERSON, MachineSeat("uniform"))))
    first = take_seat(ann, made.table, 1)
    assert pick_when_due(first)

    assert first.table.key is not None
    second = BlockingTable(RestClient(running.base), made.table, first.table.key)
    second.open()
    first.wait_for(lambda: not first.table.plays, PATIENCE)

    assert (first.table.plays, second.table.plays) == (False, True)
    assert pick_when_due(second)
    first.close()
    second.close()


def test_chat_reaches_players_and_not_spectators(running: Running) -> None:
    ann, bo = (signed_in(running.base, name) for name in ("Ann", "Bo"))
    made = ann.make(TableOrder(registry.names()[-1], (PERSON, PERSON)))
    first, second = take_seat(ann, made.table, 1), take_seat(bo, made.table, 2, made.invite)
    watching = BlockingTable(RestClient(running.base), made.table)
    watching.open()

    first.say("good evening")
    second.say_preset("hello")
    first.wait_for(lambda: len(first.mirror.info.said) == 2)

    assert [(each.name, each.text, each.preset) for each in first.mirror.info.said] == [
        ("Ann", "good evening", None),
        ("Bo", None, "hello"),
    ]
    watching.wait_for(lambda: watching.mirror.v >= first.mirror.v)
    assert watching.mirror.info.said == ()
    late = BlockingTable(RestClient(running.base), made.table, first.table.key)
    late.open()
    assert len(late.mirror.info.said) == 2, "a client that comes back gets the chat so far"
    for table in (first, second, watching, late):
        table.close()


def test_the_next_game_is_one_table_for_both_players(running: Running) -> None:
    ann, bo = (signed_in(running.base, name) for name in ("Ann", "Bo"))
    made = ann.make(TableOrder(registry.names()[-1], (PERSON, PERSON)))
    first, second = take_seat(ann, made.table, 1), take_seat(bo, made.table, 2, made.invite)
    first.wait_for(lambda: first.mirror.info.state == "playing")
    with pytest.raises(ServerRefused) as early:
        first.rematch()
    assert early.value.name == "not_now"
    first.resign()
    assert first.mirror.info.state == "over", "a call returns with what it changed"

    following = first.rematch()
    second.wait_for(lambda: second.mirror.info.next is not None)

    assert second.mirror.info.next == second.rematch() == following
    assert second.mirror.info.result is not None
    assert second.mirror.info.result.winner == 2
    for table in (first, second):
        table.close()


def test_a_clock_counts_by_the_server_whatever_the_date_is_here(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 0.0)
    ann = signed_in(running.base, "Ann")
    machine = MachineSeat("uniform")
    clock = Clock("decision", seconds=600)
    made = ann.make(TableOrder(registry.names()[-1], (PERSON, machine), clock=clock))
    table = take_seat(ann, made.table, 1)
    table.wait_for(lambda: table.mirror.may_pick)

    left = table.mirror.milliseconds_left(1)

    assert left is not None
    assert 0 < left < 601_000, "to the millisecond it depends on when either looked at its clock"
    assert table.mirror.milliseconds_left(2) is None
    table.wait_for(lambda: (table.mirror.milliseconds_left(1) or 0) < left)
    table.close()


def test_a_program_is_ready_at_once(running: Running) -> None:
    ann = signed_in(running.base, "Ann")
    clock = Clock("decision", seconds=600, ready=60)
    made = ann.make(TableOrder(registry.names()[-1], (PERSON, MachineSeat("uniform")), clock=clock))
    table = take_seat(ann, made.table, 1)

    table.wait_for(lambda: (table.mirror.milliseconds_left(1) or 600_000) < 600_000)

    table.close()


def test_a_pick_for_a_decision_that_is_over_is_refused(running: Running) -> None:
    ann = signed_in(running.base, "Ann")
    made = ann.make(TableOrder(registry.names()[-1], (PERSON, MachineSeat("uniform"))))
    table = take_seat(ann, made.table, 1)
    assert pick_when_due(table)
    table.wait_for(lambda: table.mirror.decision == 2 and table.mirror.may_pick)

    with pytest.raises(ServerRefused) as late:
        table.seal(table.mirror.legal[0], decision=1)

    assert late.value.name == "wrong_decision"
    assert table.mirror.placed is None
    table.close()


def test_a_seat_that_was_given_back_is_free_and_its_key_opens_nothing(running: Running) -> None:
    ann, bo = (signed_in(running.base, name) for name in ("Ann", "Bo"))
    made = ann.make(TableOrder(registry.names()[-1], (PERSON, PERSON)))
    table = take_seat(bo, made.table, 2, made.invite)
    key = table.table.key
    table.leave()
    table.close()

    assert not ann.table(made.table).table.seats[1].taken
    with pytest.raises(ServerRefused) as gone:
        BlockingTable(RestClient(running.base), made.table, key).open()
    assert gone.value.name == "bad_token"


def test_refusals_come_with_their_code_and_rule(running: Running) -> None:
    ann = signed_in(running.base, "Ann")
    with pytest.raises(ServerRefused) as refused:
        ann.make(TableOrder(registry.names()[0], (PERSON, PERSON), "nonsense"))
    assert refused.value.name
    with pytest.raises(ServerRefused):
        ann.invited("no-such-invitation")
    made = ann.make(TableOrder(registry.names()[-1], (PERSON, MachineSeat("uniform"))))
    table = take_seat(ann, made.table, 1)
    while not table.mirror.legal:
        table.wait(0.05)
    with pytest.raises(ServerRefused) as illegal:
        table.seal("nonsense")
    assert illegal.value.message
    table.close()


def test_a_server_that_is_not_there_is_lost() -> None:
    with pytest.raises(ServerLost, match="cannot be reached"):
        RestClient("http://127.0.0.1:9").games()
    with pytest.raises(ServerLost, match="does not answer"):
        BlockingTable(RestClient("http://127.0.0.1:9"), "0" * 26).open(patience=0.3)


@pytest.mark.parametrize(
    ("text", "server", "name"),
    [
        ("https://cards.example/i/abc", "https://cards.example", "abc"),
        ("cards.example:8765/i/abc/", "http://cards.example:8765", "abc"),
        ("http://[::1]:80/t/01ARZ3NDEKTSV4RRFFQ69G5FAV", "http://[::1]:80", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        ("https://cards.example", "https://cards.example", ""),
    ],
)
def test_addresses_are_read_as_people_send_them(text: str, server: str, name: str) -> None:
    address = Address.read(text)

    assert (address.server, address.name) == (server, name)
    assert address.is_table is (len(name) == 26)


@pytest.mark.parametrize("text", ["", "ftp://x/i/a", "http://", "http://x:port/i/a"])
def test_a_text_that_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        Address.read(text)


def test_resigning_while_picks_are_opened_ends_the_game_right_after_them(running: Running) -> None:
    ann, bo = (signed_in(running.base, name) for name in ("Ann", "Bo"))
    clock = Clock("decision", seconds=3600)
    made = ann.make(TableOrder("ecard", (PERSON, PERSON), clock=clock, seal="blind"))
    first, second = take_seat(ann, made.table, 1), take_seat(bo, made.table, 2, made.invite)
    opens = second.table._reveal

    async def hesitate() -> None:
        """Its device has not heard yet that all have sealed."""

    second.table._reveal = hesitate  # type: ignore[method-assign]
    assert pick_when_due(first)
    assert pick_when_due(second)
    first.wait_for(lambda: first.table.witness.chain.unopened == (2,))
    first.resign()
    assert (first.mirror.events[-1].k, first.mirror.info.state) == ("resigning", "playing")
    second.table._reveal = opens  # type: ignore[method-assign]
    second.say("wait")  # the answer comes with an update
    for table in (first, second):
        table.wait_for(lambda table=table: table.mirror.info.state == "over")  # type: ignore[misc]
        assert table.table.witness.alarm is None
        assert table.table.witness.memory.elsewhere == []
        table.close()
    record = ann.record(made.table)
    assert record.picks[1] == ("resign", None)
    assert all(finding.holds for finding in verify(record))


def test_a_blind_table_opens_picks_over_lost_connections(tmp_path: Path) -> None:
    """The pick and its nonce stay with the client until all have sealed; a client that was closed before
    opens it from its memory, and a killed server loses nothing."""
    patient = "import facedown.server.table.setup as setup\nsetup.OPENING_MS = 3_600_000"
    running = Running(tmp_path / "data").after(patient).start()
    try:
        ann, bo = (signed_in(running.base, name) for name in ("Ann", "Bo"))
        clock = Clock("decision", seconds=3600)
        made = ann.make(TableOrder("ecard", (PERSON, PERSON), clock=clock, seal="blind"))
        first = take_seat(ann, made.table, 1, memory=tmp_path / "ann.json")
        second = take_seat(bo, made.table, 2, made.invite)
        assert pick_when_due(first)
        assert first.mirror.info.seal == "blind"
        assert first.mirror.placed is not None
        assert second.mirror.placed is None
        sealed, key = first.mirror.placed, first.table.key
        first.close()
        running.kill()
        running.start()
        assert pick_when_due(second, 1)
        first = BlockingTable(RestClient(running.base), made.table, key, tmp_path / "ann.json")
        first.open()
        assert first.mirror.placed in (sealed, None), "it is still face down, or was revealed by now"
        tables = [first, second]
        while any(table.mirror.info.state != "over" for table in tables):
            for place, table in enumerate(tables):
                if table.mirror.info.state != "over" and table.mirror.may_pick:
                    pick_when_due(table, place)
                table.wait(0.005)
        record = ann.record(made.table)
        assert record.picks[0][0] == sealed
        assert all(finding.holds for finding in verify(record))
        assert not [joint for joint in record.picks if FORFEIT in joint]
        for table in tables:
            assert table.table.witness.alarm is None
            assert table.table.witness.differences(record) == []
            table.close()
    finally:
        running.close()
