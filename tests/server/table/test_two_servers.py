"""Two servers on one store: each publishes what the other appends; nothing is lost or sent twice."""

from __future__ import annotations

import asyncio
import gc
import random
import weakref
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from facedown.core.chance import entropy_commitment
from facedown.core.errors import NotNow
from facedown.core.record import Record
from facedown.core.replay import verify
from facedown.protocol.messages import Ack, Clock, Cmd, Nak
from facedown.protocol.moderation import CaseDecision, SanctionKind
from facedown.server import clock, node
from facedown.server.bus import Bus
from facedown.server.bus.base import OnHint
from facedown.server.clock import now
from facedown.server.moderation import Moderation
from facedown.server.node import Node
from facedown.server.store.cases import Report
from facedown.server.store.failures import StoreFailed
from facedown.server.store.sqlite.store import SqliteStore
from facedown.server.store.values import EventRow, Person
from facedown.server.table import presence
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables
from facedown.server.table.transaction import TableJob, Transaction
from tests.patience import PATIENCE
from tests.server.playing import entropy_of, order, pick_command
from tests.server.store.steps import credit_outage
from tests.server.table.test_table import RecordingListener, do

pytestmark = pytest.mark.anyio


class TwoServerStore(SqliteStore):
    """The store of one process, in which two servers run."""

    shared = True


class DeafBus(Bus):
    """A bus that loses everything."""

    def subscribe(self, topic: str, on_hint: OnHint) -> None:
        pass


class TwoServers:
    """Two servers, each with its own tables in memory."""

    def __init__(self, store: SqliteStore, *, deaf: bool) -> None:
        kind = DeafBus if deaf else Bus
        buses = kind("one"), kind("other")
        buses[1]._subscribers = buses[0]._subscribers  # each receives the hints of the other
        self.store = store
        self.tables = [Tables(store, bus) for bus in buses]
        self.nodes = [Node(store, each.bus, each) for each in self.tables]

    async def table(self, *args: Any, **more: Any) -> tuple[Table, Table]:
        """A table that is dealt, at both servers."""
        first = await self.tables[0].create(order(*args, **more), "person 1")
        for place in first._state.people:
            commit = entropy_commitment(first.id, place.seat, entropy_of(place.seat)).hex()
            await first.join(place.seat, Person(f"person {place.seat}", f"Name {place.seat}", 0), commit)
        for place in first._state.people:
            await do(first, place.seat, Cmd("open", "open", entropy=entropy_of(place.seat).hex()))
        return first, await self.tables[1].get(first.id)


@asynccontextmanager
async def two_servers(folder: Path, *, deaf: bool = False) -> AsyncIterator[TwoServers]:
    store = TwoServerStore(folder)
    for seat in range(1, 8):
        await store.add_person(f"person {seat}", f"Name {seat}", 0)
    both = TwoServers(store, deaf=deaf)
    for tables in both.tables:
        await tables.start()
    try:
        yield both
    finally:
        for tables in both.tables:
            await tables.stop()
        await store.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.002)


def pick_at(table: Table, seat: int) -> Cmd:
    match = table._state.match
    return pick_command(table._state, match.decision, seat, str(match.legal(seat)[0]))


@pytest.mark.parametrize("deaf", [False, True])
async def test_seats_at_two_servers_play_a_game_and_all_viewers_receive_all_of_it(
    tmp_path: Path, deaf: bool
) -> None:
    async with two_servers(tmp_path, deaf=deaf) as both:
        here, there = await both.table("davenport", 3)
        listeners = [(table, RecordingListener(viewer)) for table in (here, there) for viewer in range(4)]
        begun = here.head
        for table, listener in listeners:
            table.attach(listener)
        rng = random.Random(15)
        while here.phase == "playing":
            for seat in here._state.match.may_seal:
                assert isinstance(await do(rng.choice((here, there)), seat, pick_at(here, seat)), Ack)
            await here.settle()
        await there.settle()
        for _, listener in listeners:
            assert listener.events == list(range(begun + 1, here.head + 1))
        of_seats = [[each for each in listener.received if each["t"] == "ev"] for _, listener in listeners]
        for viewer in range(4):  # the same facts at both; the states after them may be grouped differently
            one, other = of_seats[viewer], of_seats[viewer + 4]
            assert [(e["v"], e["k"]) for e in one] == [(e["v"], e["k"]) for e in other]
        assert here.record(0) == there.record(0)
        assert all(finding.holds for finding in verify(Record.read(here.record(0))))


@pytest.mark.parametrize("dropped", [False, True])
async def test_a_table_that_leaves_memory_is_freed_without_the_garbage_collector(
    tmp_path: Path, dropped: bool
) -> None:
    """A server looks for garbage rarely: what only the collector frees would fill its memory for hours."""
    async with two_servers(tmp_path) as both:
        here, there = await both.table("ecard")
        listener = RecordingListener(1)
        here.attach(listener)
        await do(here, here._state.match.may_seal[0], pick_at(here, here._state.match.may_seal[0]))
        await there.settle()
        here.detach(listener)
        gone = weakref.ref(here), weakref.ref(here.inbox), weakref.ref(here._state)
        gc.collect()
        gc.disable()
        try:
            if dropped:
                here.inbox.drop()
            else:
                both.tables[0].unload_idle(now() + 3_600_000)
            del here
            await until(lambda: not any(each() for each in gone))
        finally:
            gc.enable()


async def test_a_refusal_is_freed_without_the_garbage_collector(tmp_path: Path) -> None:
    gone: list[weakref.ref[NotNow]] = []

    def refuse(_: Transaction) -> None:
        refusal = NotNow("not now")
        gone.append(weakref.ref(refusal))
        raise refusal

    async with two_servers(tmp_path) as both:
        here, _ = await both.table("ecard")
        gc.collect()
        gc.disable()
        try:
            with suppress(NotNow):
                await here.inbox.transact(refuse)
            here.inbox.enqueue(TableJob(refuse, lambda _result, _error: None))
            await until(lambda: len(gone) == 2 and not any(each() for each in gone))
        finally:
            gc.enable()


async def test_seats_seal_at_the_same_instant_at_two_servers(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        here, there = await both.table("davenport", 3)
        listener = RecordingListener(0)
        there.attach(listener)
        while here.phase == "playing":
            seats = here._state.match.may_seal
            sent = [do((here, there)[seat % 2], seat, pick_at(here, seat)) for seat in seats]
            assert [type(each) for each in await asyncio.gather(*sent)] == [Ack] * len(seats)
            await here.settle()
        await there.settle()
        decisions = [each["decision"] for each in listener.received if each.get("k") == "revealed"]
        assert decisions == list(range(1, len(decisions) + 1))


async def test_a_server_that_is_behind_refuses_no_valid_command(tmp_path: Path) -> None:
    async with two_servers(tmp_path, deaf=True) as both:
        here, there = await both.table("ecard")
        while here._state.match.decision == 1:
            seat = here._state.match.may_seal[0]
            await do(here, seat, pick_at(here, seat))
        assert there.head < here.head
        (seat, *_) = here._state.match.may_seal
        next_pick = pick_at(here, seat)
        assert isinstance(await do(there, seat, next_pick), Ack)  # there, decision 1 was still open
        refused = await do(there, seat, pick_command(here._state, 1, seat, "C", "late"))
        assert isinstance(refused, Nak)
        assert refused.code == "wrong_decision"
        again = await do(here, seat, next_pick)  # sent again to the other server: the first answer
        assert isinstance(again, Ack)


async def test_a_copy_that_no_one_waits_for_is_read_with_its_next_use(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        here, there = await both.table("ecard")
        begun = there.head
        while here._state.match.decision == 1:
            (seat, *_) = here._state.match.may_seal
            assert isinstance(await do(here, seat, pick_at(here, seat)), Ack)
        assert (there.head, there.inbox.is_behind) == (begun, True)
        assert (await both.tables[1].get(here.id)).head == here.head
        listener = RecordingListener(0)
        there.attach(listener)
        begun = here.head
        (seat, *_) = here._state.match.may_seal
        assert isinstance(await do(here, seat, pick_at(here, seat)), Ack)
        await until(lambda: there.head == here.head)
        assert listener.events == list(range(begun + 1, here.head + 1))
        there.detach(listener)
        for _ in range(2):
            (seat, *_) = here._state.match.may_seal
            assert isinstance(await do(there, seat, pick_at(here, seat)), Ack)
            await here.settle()
        assert here.head == there.head


async def test_people_are_renamed_and_leave_where_it_is_not_known_yet_that_they_sit(tmp_path: Path) -> None:
    async with two_servers(tmp_path, deaf=True) as both:
        here = await both.tables[0].create(order("ecard"), "person 1")
        there = await both.tables[1].get(here.id)
        for seat in (1, 2):
            commit = entropy_commitment(here.id, seat, entropy_of(seat)).hex()
            await here.join(seat, Person(f"person {seat}", f"Name {seat}", 0), commit)
        assert there.head < here.head
        await there.rename("person 1", "Ada")
        await here.settle()
        assert here._state.place(1).name == "Ada"
        await here.rename("person 2", "Bo")
        await there.leave_for_good("person 1", "erased")
        await here.settle()
        assert here._state.place(1).name != "Ada"


async def test_tables_leave_memory_soon_if_they_are_over_or_played_elsewhere(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        here, there = await both.table("ecard")
        assert await both.tables[1].get(here.id) is there
        (seat, *_) = here._state.match.may_seal
        await do(here, seat, pick_at(here, seat))
        for tables, at, loaded in ((0, 61, 1), (1, 59, 1), (1, 61, 0)):
            both.tables[tables].unload_idle(now() + at * 1000)
            assert both.tables[tables].loaded == loaded
        while here.phase == "playing":
            (seat, *_) = here._state.match.may_seal
            await do(here, seat, pick_at(here, seat))
        listener = RecordingListener(0)
        here.attach(listener)
        both.tables[0].unload_idle(now() + 61_000)
        assert both.tables[0].loaded == 1
        here.detach(listener)
        both.tables[0].unload_idle(now() + 61_000)
        assert both.tables[0].loaded == 0


async def test_a_table_that_waits_for_its_players_stays_in_memory_for_a_while(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        await both.table("ecard")
        for at, loaded in ((9, 1), (11, 0)):
            both.tables[0].unload_idle(now() + at * 60_000)
            assert both.tables[0].loaded == loaded


async def test_a_read_includes_everything_acknowledged_before(tmp_path: Path) -> None:
    async with two_servers(tmp_path, deaf=True) as both:
        here, there = await both.table("ecard")
        (seat, *_) = here._state.match.may_seal
        answer = await do(here, seat, pick_at(here, seat))
        assert isinstance(answer, Ack)
        await there.settle()
        assert there.head >= answer.v


async def test_the_sweep_finds_what_no_hint_reported(tmp_path: Path) -> None:
    async with two_servers(tmp_path, deaf=True) as both:
        here, there = await both.table("ecard")
        listener = RecordingListener(2)
        there.attach(listener)
        (seat, *_) = here._state.match.may_seal
        await do(here, seat, pick_at(here, seat))
        await both.nodes[1]._sweep()
        await until(lambda: listener.kinds == ["sealed"])


async def test_a_hint_that_comes_during_a_read_that_fails_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path) as both:
        here, there = await both.table("ecard")
        listener = RecordingListener(1)
        there.attach(listener)
        rows, asked, free = both.store.rows, asyncio.Event(), asyncio.Event()

        async def fail(*_: object) -> list[EventRow]:
            monkeypatch.setattr(both.store, "rows", rows)
            asked.set()
            await free.wait()
            raise StoreFailed("the plug is pulled")

        monkeypatch.setattr(both.store, "rows", fail)
        assert isinstance(await do(here, 1, Cmd("a", "say", text="one")), Ack)
        await asked.wait()
        assert isinstance(await do(here, 1, Cmd("b", "say", text="two")), Ack)
        free.set()
        await until(lambda: listener.kinds == ["said", "said"])


async def test_words_of_a_person_whom_another_server_erased_are_not_saved(tmp_path: Path) -> None:
    """Their connection here has not ended yet."""
    async with two_servers(tmp_path) as both:
        here, _ = await both.table("ecard")
        head = here.head
        await both.store.erase_person("person 1", "erased")
        answers = await asyncio.gather(
            do(here, 1, Cmd("a", "say", text="I was never here")), do(here, 2, Cmd("b", "say", text="hello"))
        )
        assert [type(each) for each in answers] == [Nak, Ack]
        assert isinstance(answers[0], Nak)
        assert answers[0].code == "bad_token"
        assert [row.kind for row in await both.store.rows(here.id, head)] == ["said"]


async def test_another_server_moves_the_machines_of_a_server_that_is_gone(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        table = await both.tables[0].create(order("ecard", machines=(1, 2)), "person 1")
        await both.tables[0]._bots.stop()  # it dies, as far as its machines go
        await table.finish_writing()
        head = table.head
        await both.store.rearm(table.id, head, now())
        await both.nodes[1]._claim()
        other = both.tables[1].loaded_table(table.id)
        assert other is not None
        await until(lambda: other.head > head)
        await until(lambda: other.phase == "over")
        await other.finish_writing()
        assert all(finding.holds for finding in verify(Record.read(other.record(0))))


async def test_a_flag_falls_once_at_two_servers(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        here, there = await both.table("ecard", clock=Clock("decision", seconds=1))
        listeners = RecordingListener(0), RecordingListener(0)
        here.attach(listeners[0])
        there.attach(listeners[1])

        async def flagged() -> None:
            while "revealed" not in listeners[0].kinds or "revealed" not in listeners[1].kinds:
                await asyncio.gather(*(node._claim() for node in both.nodes))
                await asyncio.sleep(0.02)

        await asyncio.wait_for(flagged(), PATIENCE)
        first = [
            each for each in listeners[1].received if each.get("k") == "sealed" and each["decision"] == 1
        ]
        assert [each["placer"] for each in first] == ["clock", "clock"]
        await asyncio.gather(here.settle(), there.settle())
        assert here.head == there.head


async def test_a_server_that_is_stopped_between_claim_and_check_flags_no_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path) as both:
        here, _ = await both.table("ecard", clock=Clock("decision", seconds=30))
        await both.store.rearm(here.id, here.head, now())  # claimed for another reason than its clocks
        owed_tables = both.store.owed_tables

        async def stopped(tables: Sequence[str]) -> list[str]:
            monkeypatch.setattr(clock, "_offset_ns", clock._offset_ns + 60_000_000_000)
            return await owed_tables(tables)

        monkeypatch.setattr(both.store, "owed_tables", stopped)
        before = both.store.stats.claims
        await both.nodes[0]._claim()
        assert both.store.stats.claims == before + 1
        assert "sealed" not in [row.kind for row in await both.store.rows(here.id)]


async def test_a_player_connected_to_another_server_is_not_voted_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LIVE_MS", -1)
    async with two_servers(tmp_path, deaf=True) as both:
        here, there = await both.table("davenport", 3, clock=Clock("decision", seconds=3600))
        monkeypatch.setattr(presence, "SECOND_MS", 0)
        sits, votes = RecordingListener(2), RecordingListener(1)
        here.attach(sits)
        there.attach(votes)
        seat = 2
        await until(lambda: there.hints is not None)
        while not (await both.store.last_seen(here.id)).get(seat):
            await asyncio.sleep(0.002)
        answer = await do(there, 1, Cmd("r", "replace", seat=seat))
        assert isinstance(answer, Nak)  # no hint came, but the store knows
        assert seat in there.present


async def test_a_player_who_has_left_this_server_counts_as_gone(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        here, there = await both.table("ecard")
        sits = RecordingListener(2)
        here.attach(sits)
        await until(lambda: 2 in here.hints._own)
        here.detach(sits)
        for table in (here, there):
            await table.hints.refresh_from_store()  # the store last saw the seat here
            assert not table.present


async def test_presence_follows_hints(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        here, there = await both.table("ecard")
        sits, looks = RecordingListener(2), RecordingListener(0)
        there.attach(looks)
        here.attach(sits)
        assert there.present == {2}
        assert looks.received[-1]["seats"] == [2]
        here.detach(sits)
        assert not there.present
        assert looks.received[-1]["seats"] == []


async def test_a_server_that_loads_a_table_asks_who_is_connected_elsewhere(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        table = await both.tables[0].create(order("ecard"), "person 1")
        commit = entropy_commitment(table.id, 2, entropy_of(2)).hex()
        await table.join(2, Person("person 2", "Name 2", 0), commit)
        table.attach(RecordingListener(2))  # no other server receives this hint
        there = await both.tables[1].get(table.id)
        assert there.present == {2}


async def test_an_outage_is_given_back_once(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        here, there = await both.table("ecard", clock=Clock("decision", seconds=3600))
        before = here._state.deadline
        assert before is not None
        ms = await credit_outage(both.store)
        await asyncio.gather(here.credit_owed(), there.credit_owed(), here.credit_owed())
        await asyncio.gather(here.settle(), there.settle())
        kinds = [row.kind for row in await both.store.rows(here.id)]
        assert kinds.count("outage") == 1
        assert here._state.deadline == there._state.deadline == before + ms


async def test_a_rematch_requested_at_two_servers_is_one_table(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        here, there = await both.table("ecard")
        await do(here, 1, Cmd("r", "resign", decision=1))
        asked = [do(table, seat, Cmd(f"again-{seat}", "rematch")) for table, seat in ((here, 1), (there, 2))]
        answers = await asyncio.gather(*asked)
        [following] = {answer.next for answer in answers if isinstance(answer, Ack)}
        assert {row.id for row in await both.store.tables()} == {here.id, following}


async def test_a_rematch_whose_server_died_before_it_was_linked_is_not_made_again(tmp_path: Path) -> None:
    async with two_servers(tmp_path) as both:
        here, there = await both.table("ecard")
        await do(here, 1, Cmd("r", "resign", decision=1))
        made = await both.tables[0]._create_rematch(here, "person 1")
        answer = await do(there, 2, Cmd("again", "rematch"))
        assert isinstance(answer, Ack)
        assert answer.next == made


@pytest.mark.parametrize("deaf", [False, True], ids=["hinted", "every hint is lost"])
async def test_blocks_mutes_and_sanctions_hold_at_every_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaf: bool
) -> None:
    monkeypatch.setattr(node, "_REPEAT_S", 0.01 if deaf else 1000 * PATIENCE)
    async with two_servers(tmp_path, deaf=deaf) as both:
        here, there = await both.table("davenport", 3)
        listener = RecordingListener(1)
        there.attach(listener)
        for each in both.nodes:
            await each.start()
        try:
            block = await here.relations.add("person 1", "person 9", "block", "Name 9")
            await until(lambda: not there.may_meet("person 9"))
            await here.relations.drop("person 1", block.id)
            await until(lambda: there.may_meet("person 9"))

            await here.relations.add("person 1", "person 3", "mute", "Name 3")
            await until(lambda: there.relations.muted_by("person 1") == {"person 3"})
            for seat in (3, 2):
                assert isinstance(await do(here, seat, Cmd(f"say {seat}", "say", text="hello")), Ack)
            await until(lambda: there.head == here.head)
            assert [each["seat"] for each in listener.received if each.get("k") == "said"] == [2]

            await sanction(both, "person 2", "no_chat")
            await until(lambda: there.relations.is_under("person 2", "no_chat"))
            refused = await do(there, 2, Cmd("more", "say", text="more"))
            assert isinstance(refused, Nak)
            assert refused.code == "restricted"
            await sanction(both, "person 3", "closed")
            await until(lambda: there.is_closed_for("person 3"))
            assert not there.is_closed_for("person 2")
        finally:
            for each in both.nodes:
                await each.stop()


async def sanction(both: TwoServers, person: str, kind: SanctionKind) -> None:
    """A moderator at the first server decides about a report."""
    await both.store.report(Report(0, 0, person, "person 1", now(), "words", "T", 1, "", "rude", ""))
    (case,) = await both.store.cases.cases_of(person)
    moderation = Moderation(both.store, both.tables[0])
    await moderation.decide(case.id, "", CaseDecision(kind, why="rude"))
