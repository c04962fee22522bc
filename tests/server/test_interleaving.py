"""What other requests do while one waits for the store: it decides by what is true afterwards."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest

from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import Ack, Clock, Cmd, Hello, Nak
from facedown.protocol.pairing import NewTicket
from facedown.protocol.tournaments import NewTournament, TournamentEntry
from facedown.server.accounts.credentials import Credential
from facedown.server.accounts.devices import UNKNOWN
from facedown.server.accounts.handovers import Handovers
from facedown.server.app import make_app
from facedown.server.clock import HOUR_MS, now
from facedown.server.forgetting import Forgetting
from facedown.server.http.services import RestServices
from facedown.server.pairing import Pairing
from facedown.server.services import Services, open_services
from facedown.server.settings import Settings
from facedown.server.sockets.session import SocketSessions
from facedown.server.store.contacts import ContactRows, StoredContact
from facedown.server.store.values import Person
from facedown.server.table.summary import details_of
from facedown.server.table.table import Table
from tests.patience import PATIENCE
from tests.server.playing import entropy_of, order, pick_command

pytestmark = pytest.mark.anyio
T = TypeVar("T")


class Held:
    """A coroutine function whose first answer is there, but waits until it is let go."""

    def __init__(self, real: Callable[..., Awaitable[Any]]) -> None:
        self._real = real
        self.asked, self.free = asyncio.Event(), asyncio.Event()

    async def __call__(self, *args: Any, **more: Any) -> Any:
        answer = await self._real(*args, **more)
        if not self.asked.is_set():
            self.asked.set()
            await self.free.wait()
        return answer


async def between(held: Held, waiting: Awaitable[T], meanwhile: Callable[[], Awaitable[object]]) -> T:
    """The outcome of a request that waits while something else is done."""
    async with asyncio.timeout(PATIENCE):
        task, asked = asyncio.ensure_future(waiting), asyncio.ensure_future(held.asked.wait())
        await asyncio.wait((task, asked), return_when=asyncio.FIRST_COMPLETED)
        assert asked.done(), "it has not asked"
        await meanwhile()
        held.free.set()
        return await task


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Services]:
    services = open_services(Settings(data=folder / "data", machine_pause=0))
    await services.start()
    try:
        yield services
    finally:
        await services.close()


async def sit(table: Table, seat: int, person: str = "") -> str:
    commit = entropy_commitment(table.id, seat, entropy_of(seat)).hex()
    return await table.join(seat, Person(person or f"person {seat}", f"Name {seat}", 0), commit)


async def do(table: Table, seat: int, cmd: Cmd, person: str = "") -> Ack | Nak:
    answered: asyncio.Future[Ack | Nak] = asyncio.get_running_loop().create_future()
    table.submit(seat, cmd, answered.set_result, person=person or f"person {seat}", name=f"Name {seat}")
    return await answered


async def deal(table: Table) -> None:
    """Fill a table for two, up to the deal."""
    for seat in (1, 2):
        await sit(table, seat)
    for seat in (1, 2):
        await do(table, seat, Cmd("open", "open", entropy=entropy_of(seat).hex()))


@asynccontextmanager
async def caller(services: Services, rest: RestServices | None = None) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the API of a server in this process."""
    transport = httpx2.ASGITransport(make_app(rest or RestServices(services)))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1/api/v1") as http:
        yield http


class RecordingChannel:
    """A connection that keeps what is sent."""

    def __init__(self) -> None:
        self.address, self.asked_table, self.watches = "127.0.0.1", "", False
        self.credential: Credential | None = None
        self.received: list[dict[str, Any]] = []

    def send(self, text: bytes) -> None:
        self.received.append(json.loads(text))

    def send_all(self, texts: tuple[bytes, ...]) -> None:
        self.received += map(json.loads, texts)

    def start_pings(self) -> None:
        pass

    def hello_wait(self) -> float:
        return 0.0

    def charge(self, size: int) -> None:
        pass

    def set_pace(self, *, live: bool) -> int:
        return 1000

    def close(self, code: int, reason: str = "") -> None:
        pass


# --- tables in memory ------------------------------------------------------------------------------------


async def test_a_table_that_is_read_while_it_is_created_is_in_memory_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        tables, store = services.tables, services.store
        held = Held(store.append)
        monkeypatch.setattr(store, "append", held)
        found: list[Table] = []

        async def read() -> None:
            (listed,) = await store.tables()
            found.append(await tables.get(listed.id))

        made = await between(held, tables.create(order("ecard"), "person 1"), read)
        assert found == [made] == [await tables.get(made.id)]


async def test_a_table_that_is_created_while_it_is_read_is_in_memory_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        tables, store = services.tables, services.store
        appended, read = Held(store.append), Held(store.invite_of)
        monkeypatch.setattr(store, "append", appended)
        monkeypatch.setattr(store, "invite_of", read)
        creating = asyncio.ensure_future(tables.create(order("ecard"), "person 1"))
        await appended.asked.wait()
        (listed,) = await store.tables()

        async def finish() -> None:
            appended.free.set()
            await creating

        found = await between(read, tables.get(listed.id), finish)
        assert found is await creating is await tables.get(listed.id)


async def test_a_table_that_is_read_while_its_words_are_erased_does_not_keep_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        tables, store = services.tables, services.store
        await store.add_person("person 1", "Name 1", 1)
        table = await tables.create(order("ecard"), "host")
        await sit(table, 1)
        await sit(table, 2)
        await do(table, 1, Cmd("a", "say", text="secret words"))
        tables._remove(table.id)
        held = Held(store.rows)
        monkeypatch.setattr(store, "rows", held)

        swept, erasing = asyncio.Event(), list[asyncio.Task[None]]()

        async def sweep() -> None:
            swept.set()

        monkeypatch.setattr(store, "drop_traces", sweep)  # then it turns to the tables in memory

        async def erase() -> None:
            erasing.append(asyncio.create_task(Forgetting(store, tables)._erase("person 1", "gone")))
            await swept.wait()
            await asyncio.sleep(0)

        await between(held, tables.get(table.id), erase)
        await asyncio.wait_for(erasing[0], PATIENCE)
        again = await tables.get(table.id)
        assert again.names == ("gone", "Name 2")
        assert not any(b"secret words" in each for each in again.events(1, "person 1", 0))


# --- seats that change hands -----------------------------------------------------------------------------


class PassedSeat:
    """A table at which a guest has the second seat, until the host gives it to another person, who picks."""

    def __init__(self, services: Services, table: Table, guest: str, token: str, session: str) -> None:
        self.services = services
        self.table = table
        self.guest = guest
        self.token = token
        self.session = session

    async def pass_on(self) -> None:
        table = self.table
        assert isinstance(await do(table, 1, Cmd("f", "free", seat=2)), Ack)
        await sit(table, 2)
        await sit(table, 3)
        for seat in (1, 2, 3):
            assert isinstance(await do(table, seat, Cmd("open", "open", entropy=entropy_of(seat).hex())), Ack)
        card = str(table._state.match.legal(2)[0])
        assert isinstance(await do(table, 2, pick_command(table._state, 1, 2, card)), Ack)
        assert table.snapshot(2, "person 2", now()).placed == card


@asynccontextmanager
async def passed_seat(folder: Path) -> AsyncIterator[PassedSeat]:
    async with running(folder) as services:
        guest, session = await services.people.guest("Guest", "program")
        table = await services.tables.create(order("davenport", 3, watch="nobody"), "person 1")
        await sit(table, 1)
        token = await sit(table, 2, guest.id)
        yield PassedSeat(services, table, guest.id, token, session)


@pytest.mark.parametrize("path", ["", "/record", "/events", "/review?seat=2"])
async def test_a_seat_that_is_passed_on_during_a_request_shows_nothing_to_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    async with passed_seat(tmp_path) as here:
        held = Held(here.services.store.seat_of)
        monkeypatch.setattr(here.services.store, "seat_of", held)
        async with caller(here.services) as http:
            asked = http.get(f"/tables/{here.table.id}{path}", headers={"Facedown-Seat": here.token})
            answer = await between(held, asked, here.pass_on)
            assert (answer.status_code, answer.json()["code"]) == (503, "store_failed")
            again = await http.get(f"/tables/{here.table.id}{path}", headers={"Facedown-Seat": here.token})
            assert again.json()["code"] == "bad_token"


async def test_a_seat_that_is_passed_on_during_a_long_poll_shows_nothing_to_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with passed_seat(tmp_path) as here:
        rest = RestServices(here.services)
        held = Held(rest.streams.wait_for_event)
        monkeypatch.setattr(rest.streams, "wait_for_event", held)
        async with caller(here.services, rest) as http:
            path, who = f"/tables/{here.table.id}/events", {"Authorization": f"Bearer {here.session}"}
            head = here.table.head
            polling = http.get(path, params={"after": head, "wait": 1}, headers=who)
            answer = await between(held, polling, here.pass_on)
            assert answer.json()["code"] == "unknown_table", "they may not even watch"


async def test_a_seat_that_is_passed_on_during_hello_shows_nothing_to_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with passed_seat(tmp_path) as here:
        services = here.services
        sessions = SocketSessions(services.tables, services.store, services.people, services.limits)
        held = Held(services.store.seat_of)
        monkeypatch.setattr(services.store, "seat_of", held)
        channel = RecordingChannel()
        session = sessions.open(channel)
        await between(held, session.greet(Hello(here.table.id, here.token)), here.pass_on)
        assert [each["t"] for each in channel.received] == ["bye"]
        assert channel.received[0]["again"], "it connects again, and learns that the seat is not theirs"


# --- mutes and blocks ------------------------------------------------------------------------------------


async def test_a_block_counts_though_all_blocks_were_read_just_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        relations, store = services.tables.relations, services.store
        kept = await relations.add("ann", "cyd", "mute", "Cyd")
        held = Held(store.relations)
        monkeypatch.setattr(store, "relations", held)
        changes: list[asyncio.Task[Any]] = []

        async def change() -> None:
            changes.append(asyncio.create_task(relations.add("ann", "bob", "block", "Bob")))
            changes.append(asyncio.create_task(relations.drop("ann", kept.id)))
            await asyncio.wait(changes, timeout=0.2)  # unless they wait

        await between(held, relations.load(), change)
        await asyncio.gather(*changes)
        assert relations.has_blocked("ann", "bob")
        assert relations.muted_by("ann") == {"bob"}


async def test_an_erased_person_is_in_no_list_though_all_were_read_just_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        relations, store = services.tables.relations, services.store
        await store.add_person("bob", "Bob", 1)
        await relations.add("ann", "bob", "mute", "Bob")
        held = Held(store.relations)
        monkeypatch.setattr(store, "relations", held)
        forgetting: list[asyncio.Task[None]] = []

        async def erase() -> None:
            await store.erase_person("bob", "gone")
            forgetting.append(asyncio.create_task(relations.forget("bob")))
            await asyncio.wait(forgetting, timeout=0.2)  # unless it waits

        await between(held, relations.load(), erase)
        await asyncio.gather(*forgetting)
        assert relations.of("ann") == ()


# --- tournaments -----------------------------------------------------------------------------------------


async def test_results_have_the_places_of_those_who_entered_while_they_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        rest = RestServices(services)
        wanted = NewTournament("arena", "Evening", "ecard", Clock("decision"), starts_in=0)
        tournament = (await rest.tournaments.create(None, wanted)).id
        held = Held(rest.tournaments.names)
        monkeypatch.setattr(rest.tournaments, "names", held)

        async def enter() -> None:
            await services.store.add_person("ann", "Ann", 1)
            await rest.tournaments.enter(tournament, Person("ann", "Ann", 1), TournamentEntry())
            await rest.tournaments.load(tournament)

        async with caller(services, rest) as http:
            answer = await between(held, http.get(f"/tournaments/{tournament}/results.csv"), enter)
            assert answer.status_code == 200
            assert answer.text.splitlines()[1:] == ["1,…,0,0,0,0,0"]


# --- erased people ---------------------------------------------------------------------------------------


async def test_a_game_that_ends_while_a_player_is_erased_keeps_its_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        store = services.store
        await store.add_person("person 1", "Name 1", 1)
        table = await services.tables.create(order("ecard"), "person 2")
        await deal(table)
        held = Held(store.tables)
        monkeypatch.setattr(store, "tables", held)

        async def end() -> None:
            assert isinstance(await do(table, 2, Cmd("r", "resign", decision=1)), Ack)

        erasing = Forgetting(store, services.tables)._erase("person 1", "gone")
        await between(held, erasing, end)
        listed = await store.listed(table.id)
        assert listed is not None
        about = details_of(listed.summary.about)
        assert listed.summary.state == "over"
        assert about.result is not None
        assert about.result.winner == 1
        assert [each.name for each in about.seats] == ["gone", "Name 2"]


# --- pairing ---------------------------------------------------------------------------------------------


async def test_a_table_that_is_found_before_the_answer_to_waiting_has_come_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        pairing, wanted = Pairing(services.store, services.tables), NewTicket("ecard", Clock("decision"))
        ann, _ = await services.people.guest("Ann", "program")
        bob, _ = await services.people.guest("Bob", "program")
        held = Held(services.store.put_ticket)
        monkeypatch.setattr(services.store, "put_ticket", held)

        found = await between(held, pairing.put(ann, wanted, PATIENCE), lambda: pairing.put(bob, wanted))
        assert found.state == "found"


# --- clocks and outages ----------------------------------------------------------------------------------


async def test_a_game_that_ends_while_the_clock_chooses_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        await services.node.stop()
        clock = Clock("decision", seconds=10)
        table = await services.tables.create(order("davenport", clock=clock, flag="uniform"), "person 1")
        await deal(table)
        held = Held(table._bots._think)
        monkeypatch.setattr(table._bots, "_think", held)

        async def end() -> None:
            assert isinstance(await do(table, 2, Cmd("r", "resign", decision=1)), Ack)

        assert len(table._state.clocks.due(now() + HOUR_MS)) == 2
        await between(held, table.check_clocks(now() + HOUR_MS), end)
        assert table.phase == "over"


async def test_an_outage_that_is_noticed_while_another_one_is_credited_is_credited_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        await services.node.stop()
        node = services.node
        clock = Clock("decision", seconds=3600)
        table = await services.tables.create(order("ecard", clock=clock), "person 1")
        await deal(table)

        async def stall() -> None:
            await asyncio.sleep(0.03)
            await node._beat(20)

        await node._beat(1 << 50)
        await stall()
        held = Held(node._credit)
        monkeypatch.setattr(node, "_credit", held)
        await between(held, node._claim(), stall)
        await node._claim()
        kinds = [row.kind for row in await services.store.rows(table.id)]
        assert kinds.count("outage") == 2


# --- contacts --------------------------------------------------------------------------------------------


async def test_settings_that_are_changed_at_once_are_all_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        person, session = await services.people.guest("Ann", "program")
        rest, held, real = RestServices(services), Held(ContactRows.contact), ContactRows.contact
        at = now()

        async def read(rows: ContactRows, person: str) -> StoredContact:
            found: StoredContact = await held(rows, person)
            return found

        async def change(**wanted: object) -> None:
            assert (await http.patch("/people/me/contact", json=wanted)).status_code == 200

        async with caller(services, rest) as http:
            http.headers["Authorization"] = f"Bearer {session}"
            with monkeypatch.context() as patch:
                patch.setattr(ContactRows, "contact", read)
                await between(held, change(challenges="nobody"), lambda: change(here=True))
            held = Held(real)
            with monkeypatch.context() as patch:
                patch.setattr(ContactRows, "contact", read)
                reading = asyncio.ensure_future(rest.notices.mark_read(person.id, at))
                await asyncio.wait((reading,), timeout=0.2)  # unless it reads before it writes
            await change(challenges="followed")
            held.free.set()
            await reading
            assert await services.store.contacts.contact(person.id) == (1, "followed", at)


# --- sessions --------------------------------------------------------------------------------------------


async def test_no_session_of_a_handover_is_left_after_signing_out_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path) as services:
        handovers = Handovers(services.store, services.people, services.accounts)
        ann, own = await services.people.guest("Ann", "program")
        other = await services.people.token(ann, "program")
        code, _ = await handovers.make(ann.id, other)
        claim, claimed = await handovers.claim(code, UNKNOWN)
        await handovers.answer(ann.id, other, claimed.digits, allow=True)
        held = Held(services.store.person)
        monkeypatch.setattr(services.store, "person", held)

        async def sign_out() -> None:
            await services.accounts.end_other_sessions(ann.id, own)

        _, token = await between(held, handovers.take(claim, "program", UNKNOWN), sign_out)
        assert await services.people.by_token(token, "program") is None
        assert len(await services.accounts.sessions(ann.id)) == 1


async def test_a_connection_that_is_greeted_while_its_person_signs_out_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with passed_seat(tmp_path) as here:
        services = here.services
        sessions = SocketSessions(services.tables, services.store, services.people, services.limits)
        held = Held(services.store.seat_of)
        monkeypatch.setattr(services.store, "seat_of", held)
        channel = RecordingChannel()
        sessions.greet(sessions.open(channel), Hello(here.table.id, here.token))
        (greeting,) = sessions._greetings

        async def sign_out() -> None:
            await services.accounts.end_other_sessions(here.guest, "")
            sessions.sign_out(here.guest)

        await between(held, greeting, sign_out)
        assert [(each["t"], each["code"]) for each in channel.received] == [("bye", "bad_token")]
