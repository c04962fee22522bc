"""A dishonest operator against the shipped client: each cheat raises its alarm, and nothing more is sent.

The operator has the server's key, and the friend on seat 2. What it signs becomes the evidence, which
`facedown verify --evidence` judges without the client's word where it can.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace as with_fields
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from facedown.client import RestClient, ServerTable
from facedown.client import table as table_module
from facedown.client.errors import BrokenPromise
from facedown.client.memory import SeatMemory, differences
from facedown.client.witness import Witness
from facedown.core.chance import entropy_commitment
from facedown.core.errors import NotNow
from facedown.core.links import head_after, read_link
from facedown.core.record import Record
from facedown.proof.evidence import judge_evidence
from facedown.protocol.messages import Ack, Cmd, Ev, Links, OpenedPick, Role
from facedown.server.table import commands, seating
from facedown.server.table.actor import Actor
from facedown.server.table.record import finished_record
from tests.attacks.operator import FRIEND, LIVE, ME, Operator, blind, ordinary
from tests.server.playing import Bench, entropy_of, nonce_of, order

pytestmark = pytest.mark.anyio
Cheat = Callable[[Operator], Awaitable[None]]


# --- an honest operator ----------------------------------------------------------------------------------


async def honest_game(table: Operator) -> None:
    await table.begin()
    match = table.bench.state.match
    while table.bench.state.playing:
        decision = match.decision
        mine, theirs = (str(match.legal(seat)[0]) for seat in (ME, FRIEND))
        await table.pick(mine)
        table.friend_seals(theirs)
        await table.show()
        if table.bench.state.setup.seal == "blind":
            await table.obey()
            table.friend_opens(theirs)
            await table.show()
        assert match.decision > decision, table.victim.witness.alarm


@pytest.mark.parametrize("asked", [ordinary(), blind(), ordinary(LIVE)], ids=["ordinary", "blind", "clock"])
def test_an_honest_game_raises_no_alarm_and_its_record_is_what_was_seen(asked: Any) -> None:
    table = Operator(asked)
    asyncio.run(honest_game(table))
    assert table.alarm == ""
    record = Record.read(finished_record(table.bench.state).write())
    assert table.victim.witness.differences(record) == []
    kept = msgspec.json.encode(table.victim.witness.memory)
    again = Witness(table.bench.table, ME, kept=kept)
    assert again.chain.head == table.bench.state.heads[-1], "the memory outlives the process"
    assert again.differences(record) == []


async def test_another_player_on_a_seat_after_a_lost_connection_raises_no_alarm() -> None:
    """Before the deal people come and go; what counts is who sits there when all seats are taken."""
    table = Operator(order("davenport", 3))
    bench = table.bench

    await table.sit()
    table.victim.witness.is_lost()
    bench.act(2, Cmd("leave-2", "leave"))
    bench.act(1, Cmd("leave-1", "leave"))
    for seat, person in ((2, "person 9"), (1, "person 1"), (3, "person 3")):
        bench.sit(seat, person)
    await table.greet()
    assert (table.alarm, table.sent) == ("", ["open"])


async def test_a_fresh_number_stays_the_same_if_the_client_restarts(tmp_path: Path) -> None:
    """The promise may be on its way: a second one would be another promise of the same seat."""
    table = Operator(ordinary(), tmp_path)
    bench = table.bench

    await table.sit()
    await table.obey()
    bench.at = bench.state.open_until or 0
    commands.apply_timeouts(bench.tx(), bench.at, {})
    table.victim.witness._offset = None
    await table.show()
    (promise,) = table.line.sent
    before, table.line.sent[:] = table.victim, []
    table.victim = ServerTable(
        RestClient("http://nowhere.invalid"), bench.table, before.key, tmp_path / "seat.json"
    )
    await table.greet()
    assert table.line.sent == [promise]
    bench.act(ME, promise)
    await table.show()
    assert table.alarm == ""


async def test_a_deal_that_comes_to_nothing_begins_again_with_fresh_numbers() -> None:
    table = Operator(ordinary())
    bench = table.bench

    await table.sit()
    first = table.victim.witness.memory.entropy
    await table.obey()
    bench.at = bench.state.open_until or 0
    table.victim.witness._offset = None
    commands.apply_timeouts(bench.tx(), bench.at, {})
    await table.show()
    assert table.sent == ["promise"]
    await table.obey()
    bench.sit(FRIEND, "another")
    await table.show()
    assert (table.alarm, table.sent) == ("", ["open"])
    assert table.victim.witness.memory.entropy != first
    await table.obey()
    commands.execute(
        bench.tx(), Actor(FRIEND, "another", "A"), Cmd("o", "open", entropy=entropy_of(FRIEND).hex())
    )
    await table.show()
    assert (table.alarm, bench.phase) == ("", "playing")
    forgetful = Witness(bench.table, ME, first)
    forgetful.take_links(Links(0, tuple(tuple(link.plain()) for link in table.links), table.sig()))
    assert forgetful.alarm is None, "a client without memory does not know what it promised since"


async def test_a_client_whose_seat_was_freed_sends_nothing_for_it() -> None:
    """The server pretends that the deal came to nothing, and deals without the victim's number."""
    table = Operator(ordinary())
    bench = table.bench

    for seat in (ME, FRIEND):
        bench.sit(seat)
    bench.at = bench.state.open_until or 0
    commands.apply_timeouts(bench.tx(), bench.at, {})
    promise = entropy_commitment(bench.table, ME, bytes(32)).hex()
    seating.join(bench.tx(), ME, "person 1", "A", promise, "token")
    bench.sit(FRIEND)
    bench.open(FRIEND)
    bench.act(ME, Cmd("o", "open", entropy=bytes(32).hex()))
    assert bench.phase == "playing"
    await table.greet()
    with pytest.raises(NotNow, match="freed"):
        await table.victim.seal("C", 1)
    assert (table.alarm, table.sent) == ("", [])


async def test_an_opening_that_takes_too_long_to_the_server_is_forfeited_without_an_alarm(
    clock: Callable[[float], None],
) -> None:
    """A client that was away learns at the last moment that all have sealed."""
    table = Operator(blind())
    bench = table.bench

    await table.begin()
    await table.pick()
    table.victim.witness.is_lost()
    table.friend_seals()
    bench.at, end = bench.at + 59_000, bench.state.open_until or 0
    clock(59)
    await table.greet()
    assert table.sent == ["reveal"], "but the connection is lost again"
    bench.at = end
    clock(1)
    commands.apply_timeouts(bench.tx(), bench.at, {})
    await table.show()
    assert (table.alarm, bench.state.links[-1].get("forfeited")) == ("", (ME, FRIEND))


# --- F1: the deal ----------------------------------------------------------------------------------------


async def another_number(table: Operator) -> None:
    """After the victim's number is known, the friend opens another one than promised."""
    await table.sit()
    assert table.sent == ["open"]
    await table.claim("opened", ME, entropy_of(ME).hex())
    await table.claim("opened", FRIEND, "ab" * 32)


async def another_promise(table: Operator) -> None:
    await table.sit()
    await table.claim("opened", ME, entropy_of(ME).hex())
    await table.claim("sat", FRIEND, entropy_commitment(table.bench.table, FRIEND, bytes(32)).hex())


async def dealt_without_the_friend(table: Operator) -> None:
    await table.sit()
    await table.claim("opened", ME, entropy_of(ME).hex())
    await table.claim("dealt", [[1, 2]])


async def another_number_of_mine(table: Operator) -> None:
    await table.sit()
    await table.claim("opened", ME, "cd" * 32)


async def rewritten_before_the_deal(table: Operator) -> None:
    """On a new connection the table has another history: the friend's promise is another one."""
    await table.sit()
    links = [list(link.plain()) for link in table.links]
    links[2][3] = entropy_commitment(table.bench.table, FRIEND, bytes(32)).hex()
    table.links, table.heads = [], []
    for each in links:
        table._fold(read_link(each))
    await table._give(Links(0, tuple(tuple(each) for each in links), table.sig()))


# --- F2 and the clock ------------------------------------------------------------------------------------


async def the_clock_instead_of_an_acknowledged_pick(table: Operator) -> None:
    """The pick is acknowledged; the link that it names is the clock's."""
    await table.begin()
    task = await table.pick(ack=False)
    number = len(table.links)
    await table._give(Ack(table.line.sent[0].id, table.victim.mirror.v + 1, n=number))
    await task
    await table.claim("sealed", 1, ME, "clock", "5e" * 32)


async def the_clock_first_and_then_an_acknowledgement(table: Operator) -> None:
    """The clock's link comes before the acknowledgement that names it."""
    await table.begin()
    task = await table.pick(ack=False)
    number = len(table.links)
    await table.claim("sealed", 1, ME, "clock", "5e" * 32)
    await table._give(Ack(table.line.sent[0].id, table.victim.mirror.v + 1, n=number))
    await task
    assert table.victim.witness.memory.own[1].acked == number, "it counts against the record all the same"


async def the_clock_after_it_was_sealed(table: Operator) -> None:
    await table.begin()
    await table.pick()
    await table.show()
    await table.claim("sealed", 1, ME, "clock", "5e" * 32)


async def the_clock_at_a_table_without_one(table: Operator) -> None:
    await table.begin()
    await table.claim("sealed", 1, ME, "clock", "5e" * 32)


async def the_clock_before_its_time(table: Operator) -> None:
    await table.begin()
    await table.claim("sealed", 1, ME, "clock", "5e" * 32, at=table.bench.at + 14_999)


async def another_pick_of_mine(table: Operator) -> None:
    await table.begin()
    task = await table.pick(ack=False)
    task.cancel()
    await table.claim("sealed", 1, ME, "person", "5e" * 32)


async def acknowledged_without_a_link(table: Operator) -> None:
    await table.begin()
    task = await table.pick(ack=False)
    await table._give(Ack(table.line.sent[0].id, table.victim.mirror.v + 1))
    await task


# --- order, due ------------------------------------------------------------------------------------------


async def a_second_seal_of_the_friend(table: Operator) -> None:
    await table.begin()
    table.friend_seals()
    await table.show()
    await table.claim("sealed", 1, FRIEND, "person", "5e" * 32)


async def turned_before_the_friend_sealed(table: Operator) -> None:
    await table.begin()
    await table.pick()
    await table.show()
    await table.claim("revealed", 1, [], [[1, 2]])


async def only_i_am_due(table: Operator) -> None:
    """The rules make both due; the server names the victim alone, so that it opens at once."""
    await table.sit()
    await table.obey()
    table.bench.open(FRIEND)
    state = table.bench.state
    entry = state.log[-1]
    state.links[-1] = state.links[-1]._replace(fields=(((1,),),))
    state.step_results[entry.v] = state.step_results[entry.v]._replace(due=((1,),))
    state.heads[-1] = head_after(state.heads[-2], len(state.links) - 1, state.links[-1])
    await table.show()


async def a_seal_after_my_opening(table: Operator) -> None:
    """The friend seals once more, after the victim has opened."""
    await table.begin()
    await table.pick()
    table.friend_seals()
    await table.show()
    assert table.sent == ["reveal"]
    await table.claim("sealed", 1, FRIEND, "person", "5e" * 32)


# --- openings --------------------------------------------------------------------------------------------


async def my_acknowledged_opening_forfeited(table: Operator) -> None:
    await table.begin()
    await table.pick()
    table.friend_seals()
    await table.show()
    await table.obey()
    await table.claim("revealed", 1, [ME, FRIEND], [[1, 2]], at=table.bench.at + 60_000)


async def another_pick_of_the_friend_is_turned(table: Operator) -> None:
    await table.begin()
    await table.pick()
    table.friend_seals()
    await table.show(lambda event: _turned(event, OpenedPick(FRIEND, "S", nonce_of(1, FRIEND).hex())))


def _turned(event: Ev, opened: OpenedPick) -> Ev:
    if event.k != "revealed" or not event.opens:
        return event
    opens = tuple(opened if each.seat == opened.seat else each for each in event.opens)
    return replace(event, opens=opens)


# --- two histories, other keys ----------------------------------------------------------------------------


async def a_signature_of_another_head(table: Operator) -> None:
    await table.begin()
    table.friend_seals()
    wrong = table.sig()
    await table.show(lambda event: replace(event, sig=wrong))


async def a_link_is_left_out(table: Operator) -> None:
    await table.begin()
    table.links.append(table.links[-1])
    table.heads.append(table.heads[-1])
    await table.claim("sealed", 1, FRIEND, "person", "5e" * 32)


async def fewer_links_than_before(table: Operator) -> None:
    """A store that was set back to a backup."""
    await table.begin()
    plain = tuple(tuple(json.loads(json.dumps(link.plain()))) for link in table.links[:-1])
    await table._give(Links(0, plain, None))


async def a_snapshot_that_says_something_else(table: Operator) -> None:
    await table.begin()
    snap = table.snapshot()
    await table._give(replace(snap, table=replace(snap.table, seal="blind")))


async def another_key(table: Operator) -> None:
    table.victim.witness.keys = frozenset({"00" * 32})
    await table.sit()


async def another_hand(table: Operator) -> None:
    """The same decision, but other cards than a moment ago."""
    await table.begin()
    snap = table.snapshot()
    view = json.loads(bytes(snap.view))
    view["hand"] = ["S", "C", "C", "C", "C"] if "E" in view["hand"] else ["E", "C", "C", "C", "C"]
    await table._give(replace(snap, view=Raw(json.dumps(view).encode())))


ORDINARY: list[tuple[Cheat, str, bool | None]] = [
    (another_number, "promises", True),
    (another_promise, "promises", True),
    (dealt_without_the_friend, "promises", True),
    (another_number_of_mine, "promises", True),
    (rewritten_before_the_deal, "fork", True),
    (the_clock_instead_of_an_acknowledged_pick, "pick", True),
    (the_clock_first_and_then_an_acknowledgement, "clock", True),
    (the_clock_after_it_was_sealed, "pick", True),
    (the_clock_at_a_table_without_one, "clock", True),
    (another_pick_of_mine, "pick", None),
    (acknowledged_without_a_link, "pick", None),
    (a_second_seal_of_the_friend, "order", True),
    (turned_before_the_friend_sealed, "order", True),
    (only_i_am_due, "due", None),
    (another_pick_of_the_friend_is_turned, "seal", None),
    (a_signature_of_another_head, "fork", False),
    (a_link_is_left_out, "fork", None),
    (fewer_links_than_before, "fork", None),
    (a_snapshot_that_says_something_else, "fork", None),
    (another_key, "key", None),
    (another_hand, "hand", None),
]
BLIND: list[tuple[Cheat, str, bool | None]] = [
    (a_seal_after_my_opening, "due", True),
    (my_acknowledged_opening_forfeited, "opening", None),
]


@pytest.mark.parametrize(
    ("asked", "cheat", "alarm", "proven"),
    [
        *((ordinary(), *each) for each in ORDINARY),
        *((blind(), *each) for each in BLIND),
        (ordinary(LIVE), the_clock_before_its_time, "clock", True),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
async def test_a_cheat_raises_its_alarm_and_play_stops(
    asked: Any, cheat: Cheat, alarm: str, proven: bool | None, tmp_path: Path
) -> None:
    table = Operator(asked, tmp_path)

    await cheat(table)
    assert table.alarm == alarm, table.victim.witness.alarm
    table.line.sent.clear()
    with pytest.raises(BrokenPromise, match="play is stopped"):
        await table.victim.seal("C", 1)
    await table.victim._answer_by_itself()
    assert table.line.sent == []
    evidence = table.victim.evidence
    assert evidence is not None
    judged = judge_evidence(evidence.read_bytes())
    assert judged.contradicts is proven, judged.say
    assert entropy_of(ME).hex() not in evidence.read_text() or "opened" in evidence.read_text()


# --- F3: a blind table -----------------------------------------------------------------------------------


async def test_a_client_opens_nothing_before_everyone_who_is_due_has_sealed() -> None:
    """Whatever the server says of who is awaited: what counts is the client's own chain and its signature."""
    table = Operator(blind())

    await table.begin()
    await table.pick()
    await table.show()
    snap = table.snapshot()
    assert snap.table.turn is not None
    for waiting in ((), ((1,),), ((1, 2),)):
        turn = replace(snap.table.turn, waiting=waiting, to_open=(1,), open_until=1, may_seal=())
        await table._give(replace(snap, table=replace(snap.table, turn=turn)))
    assert table.sent == []
    table.friend_seals()
    await table.show(signed=False)
    assert table.sent == [], "not before the server has signed all seals"
    await table._give(Links(len(table.links), (), table.sig()))
    await table.victim._answer_by_itself()
    assert table.sent == ["reveal"]
    assert table.alarm == ""


async def test_a_client_opens_nothing_while_who_is_due_is_the_server_s_word() -> None:
    """The server sends a list of due seats without a view: the rules cannot be compared with it."""
    table = Operator(blind())

    await table.begin()
    await table.pick()
    table.friend_seals()
    table.victim.witness._compared = 0  # as if the view of this decision had not come
    await table.show()
    assert table.sent == []
    await table._give(table.snapshot())
    assert table.sent == ["reveal"]


async def test_a_pick_is_not_sent_while_a_machine_is_not_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "_PATIENCE_WITH_MACHINES", 0.0)
    table = Operator(ordinary())

    await table.begin()
    monkeypatch.setattr(table.victim.witness, "may_seal", lambda decision: False)
    with pytest.raises(NotNow, match="has not bound its machines"):
        await table.victim.seal("C")
    assert table.sent == []


async def test_a_client_opens_its_number_only_for_promises_that_are_signed() -> None:
    table = Operator(ordinary())

    table.bench.sit(ME)
    await table.greet()
    table.bench.sit(FRIEND)
    await table.show(signed=False)
    assert table.sent == []
    await table._give(Links(len(table.links), (), table.sig()))
    await table.victim._answer_by_itself()
    assert table.sent == ["open"]


# --- acts in the name of the victim ----------------------------------------------------------------------


@pytest.mark.parametrize("another_device", [False, True])
async def test_what_nobody_did_here_is_an_alarm_unless_another_device_plays(
    another_device: bool, clock: Callable[[float], None]
) -> None:
    table = Operator(ordinary())

    await table.begin()
    await table.claim("sealed", 1, ME, "person", "5e" * 32)
    assert table.alarm == "", "another device may have taken the seat: the server has not said so yet"
    if another_device:
        await table._give(Role(plays=False))
    clock(31)
    table.friend_seals()
    table.victim.witness.take_event(Ev(0, "here"))
    assert table.alarm == ("" if another_device else "mine")
    assert table.victim.witness.memory.elsewhere == ([len(table.links) - 1] if another_device else [])


async def test_the_device_that_sealed_a_pick_opens_it_while_this_one_plays(
    clock: Callable[[float], None],
) -> None:
    table = Operator(blind())

    await table.begin()
    table.victim.witness.is_lost()
    commit = table.commit(ME)
    table.bench.act(ME, Cmd("elsewhere", "pick", 1, commit=commit))
    await table.greet()
    table.friend_seals()
    await table.show()
    table.bench.act(ME, Cmd("shown", "reveal", 1, "C", nonce=nonce_of(1, ME).hex()))
    await table.show()
    clock(31)
    table.victim.witness.take_event(Ev(0, "here"))
    assert (table.alarm, len(table.victim.witness.memory.elsewhere)) == ("", 2)


@pytest.mark.parametrize(
    ("asked", "came", "alarm"), [(0, 1, "mine"), (1, 1, ""), (1, 2, ""), (1, 3, "mine"), (2, 1, "mine")]
)
async def test_a_resignation_in_my_name_is_an_alarm(
    clock: Callable[[float], None], asked: int, came: int, alarm: str
) -> None:
    """Only where I resigned, or right after it, if all had sealed: no server keeps it for later."""
    table = Operator(ordinary())

    await table.begin()
    table.victim.witness.note_resigned(asked)
    for _ in range(1, came):
        await table.pick()
        table.friend_seals()
        await table.show()
    await table.claim("resigned", came, ME, [])
    clock(31)
    table.victim.witness.take_event(Ev(0, "here"))
    assert table.alarm == alarm


async def test_a_machine_in_my_place_is_an_alarm_while_i_am_there(clock: Callable[[float], None]) -> None:
    table = Operator(order("ecard", 2, "decisive", substitute="uniform"))

    await table.begin()
    clock(61)
    await table.claim("replaced", 1, ME, "uniform")
    clock(31)
    table.victim.witness.take_event(Ev(0, "here"))
    assert table.alarm == "mine"


# --- the record ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished() -> tuple[SeatMemory, Record]:
    table = Operator(ordinary())
    asyncio.run(honest_game(table))
    return table.victim.witness.memory, Record.read(finished_record(table.bench.state).write())


def test_the_record_of_another_game_is_not_mine(finished: tuple[SeatMemory, Record]) -> None:
    memory, record = finished
    other = Bench(order("ecard", 2, "decisive"), seed=8)
    other.begin()
    other.play_out(random.Random(1))
    forged = with_fields(finished_record(other.state), id=record.id)
    assert {each.kind for each in differences(memory, forged)} >= {"record", "pick"}


def test_a_record_that_exchanges_a_turned_pick_for_the_clocks_is_not_mine(
    finished: tuple[SeatMemory, Record],
) -> None:
    """Finding (a) of the model: the record of a clean game may not replace a turned pick."""
    memory, record = finished
    assert record.fair is not None
    place = next(
        n for n, link in enumerate(record.fair.links) if link.kind == "sealed" and link.get("seat") == ME
    )
    link = record.fair.links[place]
    changed = link._replace(fields=(link.fields[0], ME, "clock", link.fields[3]))
    links = (*record.fair.links[:place], changed, *record.fair.links[place + 1 :])
    forged = with_fields(record, fair=with_fields(record.fair, links=links))
    assert {each.kind for each in differences(memory, forged)} == {"record", "pick"}


def test_a_record_with_other_cards_than_i_was_shown_is_not_mine() -> None:
    """Finding (d) of the model: a false hand is compared with nothing while it is played."""
    table = Operator(order("davenport", 2))
    asyncio.run(honest_game(table))
    memory = table.victim.witness.memory
    record = Record.read(finished_record(table.bench.state).write())
    assert differences(memory, record) == []
    memory.views[2] = "00" * 32
    found = differences(memory, record)
    assert [(each.kind, each.decision) for each in found] == [("hand", 2)]
