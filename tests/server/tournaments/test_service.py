"""Tournaments in both stores: what is saved together, two servers at once, and what happens automatically."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import msgspec
import pytest

from facedown.bots.find import bots_of
from facedown.core.chance import entropy_commitment
from facedown.protocol.errors import BadMessage, EntryClosed, NotYours, TooMany
from facedown.protocol.tournaments import NewTournament, TournamentEntry, TournamentOrder, TournamentUpdate
from facedown.server.bus import Bus
from facedown.server.clock import now
from facedown.server.forgetting import Forgetting
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.tokens import StoredBot
from facedown.server.store.tournaments import EntrantRow, TournamentMoved
from facedown.server.store.values import Person
from facedown.server.table.tables import Tables
from facedown.server.tournaments import service
from facedown.server.tournaments.facts import Tournament
from facedown.server.tournaments.feed import TournamentFeeds
from facedown.server.tournaments.service import Tournaments
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio
ENTER = TournamentEntry()


def wish(**more: object) -> NewTournament:
    wanted = {"kind": "arena", "title": "Evening", "game": "ecard", "starts_in": 0, **more}
    return msgspec.convert({"clock": {"kind": "decision"}, **wanted}, NewTournament)


class Place:
    """A server in this process, with people."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables = Tables(store, Bus())
        self.tournaments = Tournaments(store, self.tables)

    async def enter(self, count: int, **more: object) -> str:
        """A tournament with this number of entrants, in which nothing was due yet."""
        state = await self.tournaments.create(None, wish(**more))
        for number in range(1, count + 1):
            person = Person(f"P{number}", f"Person {number}", 1)
            await self.store.add_person(person.id, person.name, 1)
            await self.tournaments.enter(state.id, person, ENTER)
        return state.id

    async def keep_accounts(self, count: int) -> None:
        """Let this number of people keep their accounts."""
        keep = "insert into accounts (person, handle, folded, skeleton, kept_at) values ($1, $2, $2, $3, 1)"
        for number in range(1, count + 1):
            await self.store._execute(keep, f"P{number}", f"p{number}", b"p%d" % number)

    async def sit(self, state: Tournament, number: int) -> None:
        """Let an entrant sit down at the table they are at."""
        planned = state.tables[state.entrants[number].tables[0]]
        seat = 1 + planned.numbers.index(number)
        table = await self.tables.get(planned.table)
        person = Person(f"P{number}", f"Person {number}", 1)
        await table.join(seat, person, entropy_commitment(table.id, seat, bytes(32)).hex())

    async def close_tables(self, state: Tournament) -> Tournament:
        """Close all tables, as their clocks do if not everyone came; the tournament after that."""
        for table in list(state.tables):
            await (await self.tables.get(table)).close("not everyone came")
        await self.tournaments.go_on(state.id)
        return await self.tournaments.load(state.id)


@pytest.fixture
async def place(any_store: Store) -> Place:
    made = Place(any_store)
    await made.tables.start()
    return made


async def test_a_pairing_is_saved_with_its_tables(place: Place) -> None:
    tournament = await place.enter(8)
    await place.tournaments.go_on(tournament)
    state = await place.tournaments.load(tournament)
    assert (state.state, len(state.tables)) == ("running", 4)
    for table, planned in state.tables.items():
        seats = (await place.tables.get(table)).setup.chairs
        assert [seat.kept_for for seat in seats] == [f"P{number}" for number in planned.numbers]


async def test_two_servers_never_pair_the_same_people(place: Place) -> None:
    tournament, other = await place.enter(8), Place(place.store)
    await asyncio.gather(*(each.tournaments.go_on(tournament) for each in (place, other) * 3))
    state = await place.tournaments.load(tournament)
    seated = Counter(number for planned in state.tables.values() for number in planned.numbers)
    assert seated == dict.fromkeys(range(1, 9), 1)
    assert len(await place.store.tables(state="open")) == 4, "no table of a pairing that was refused"


async def test_what_is_read_while_a_pairing_is_made_does_not_let_it_through(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, other = await place.enter(8), Place(place.store)
    read = place.tournaments.names

    async def read_slowly(tournament: str) -> dict[int, EntrantRow]:
        found = await read(tournament)
        await other.tournaments.go_on(tournament)  # another server is first
        await place.tournaments.load(tournament)  # a viewer asks this one
        return found

    monkeypatch.setattr(place.tournaments, "names", read_slowly)
    await place.tournaments.go_on(tournament)

    state = await place.tournaments.load(tournament)
    assert sorted(n for planned in state.tables.values() for n in planned.numbers) == list(range(1, 9))
    assert len(await place.store.tables(state="open")) == 4


async def test_a_person_who_is_erased_while_a_pairing_is_made_has_no_table(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await place.enter(4)
    read = place.tournaments.names

    async def read_slowly(tournament: str) -> dict[int, EntrantRow]:
        monkeypatch.setattr(place.tournaments, "names", read)
        found = await read(tournament)
        await Forgetting(place.store, place.tables).erase("P1")
        return found

    monkeypatch.setattr(place.tournaments, "names", read_slowly)
    await place.tournaments.go_on(tournament)

    state = await place.tournaments.load(tournament)
    assert sum(len(planned.numbers) for planned in state.tables.values()) == 2
    assert await place.store.texts_of("P1") == []
    assert [state.entrants[number].state for number in (1, 2)] == ["out", "in"]


async def test_facts_that_follow_an_old_head_are_refused_with_their_tables(place: Place) -> None:
    tournament = await place.enter(2)
    old = (await place.tournaments.load(tournament)).copy()
    await place.tournaments.go_on(tournament)
    facts, tables, people = await place.tournaments._due(old, 1 << 50)
    with pytest.raises(TournamentMoved):
        await place.tournaments._save(old, facts, 5, tables=tables, people=people)
    assert len(await place.store.tables(state="open")) == 1


async def test_only_one_server_claims_what_is_due(place: Place) -> None:
    tournament = await place.enter(2)
    rows, at = place.store.tournaments, 1 << 50
    await place.store.tournaments.rearm(tournament, 3, 1)
    claims = await asyncio.gather(*(rows.claim_due(at, 60_000, 5) for _ in range(4)))
    assert sorted(map(len, claims)) == [0, 0, 0, 1]


async def test_who_does_not_appear_loses_and_the_second_time_is_withdrawn(place: Place) -> None:
    tournament = await place.enter(2)
    await place.tournaments.go_on(tournament)
    state = await place.tournaments.load(tournament)
    await place.sit(state, 1)
    state = await place.close_tables(state)
    assert [(each.points, each.state) for each in state.entrants.values()] == [(2, "in"), (0, "paused")]
    await place.tournaments.enter(tournament, Person("P2", "Person 2", 1), ENTER)
    await place.tournaments.go_on(tournament)
    state = await place.tournaments.load(tournament)
    await place.sit(state, 1)
    state = await place.close_tables(state)
    assert [(each.points, each.state) for each in state.entrants.values()] == [(4, "in"), (0, "out")]
    with pytest.raises(EntryClosed):
        await place.tournaments.enter(tournament, Person("P2", "Person 2", 1), ENTER)


async def test_a_round_begins_when_the_last_is_done_and_the_end_gives_places(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await place.enter(3, kind="rounds", rounds=2)
    await place.tournaments.go_on(tournament)
    state = await place.tournaments.load(tournament)
    assert (state.round, len(state.tables), state.entrants[3].byes) == (1, 1, 1)
    for number in (1, 2):
        await place.sit(state, number)
    state = await place.close_tables(state)
    assert (state.round, [each.points for each in state.entrants.values()]) == (2, [1, 3, 2])
    state = await place.close_tables(state)
    assert (state.state, state.places()[2]) == ("over", 1)
    assert await place.tournaments.trophies("P2") == (), "of a tournament of guests"
    await place.keep_accounts(8)
    assert await place.tournaments.trophies("P2") == (), "of one with too few kept accounts"
    monkeypatch.setattr(service, "TROPHY_ACCOUNTS", 3)
    (trophy,) = await place.tournaments.trophies("P2")
    assert (trophy.title, trophy.game, trophy.kind, trophy.place) == ("Evening", "ecard", "rounds", 1)


async def test_an_arena_ends_at_its_time_and_too_few_people_are_waited_for(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena, lonely = await place.enter(2, minutes=10), (await place.tournaments.create(None, wish())).id
    await place.tournaments.go_on(arena)
    await place.tournaments.go_on(lonely)
    assert (await place.tournaments.load(lonely)).state == "open"
    later = now() + service.PATIENCE_MS + 60_000
    monkeypatch.setattr(service, "now", lambda: later)
    state = await place.close_tables(await place.tournaments.load(arena))
    assert state.state == "over"
    await place.tournaments.go_on(lonely)
    assert (await place.tournaments.load(lonely)).ended == "too few"


async def test_late_entry_and_withdrawal(place: Place) -> None:
    tournament = await place.enter(2)
    await place.tournaments.go_on(tournament)
    late = Person("late", "Late", 1)
    await place.store.add_person(late.id, late.name, 1)
    assert await place.tournaments.enter(tournament, late, ENTER) == 3
    assert await place.tournaments.enter(tournament, late, TournamentEntry(paused=True)) == 3
    assert (await place.tournaments.load(tournament)).entrants[3].state == "paused"
    await place.tournaments.withdraw(tournament, late.id)
    assert (await place.tournaments.load(tournament)).entrants[3].state == "out"


async def test_who_is_put_out_gives_a_place_free_and_is_not_paired(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(service.MOST_ENTRANTS, "rounds", 12)
    tournament = await place.enter(12, kind="rounds")
    late, ann = Person("late", "Late", 1), Person("ann", "Ann", 1)
    for each in (late, ann):
        await place.store.add_person(each.id, each.name, 1)
    with pytest.raises(EntryClosed, match="full"):
        await place.tournaments.enter(tournament, late, ENTER)
    with pytest.raises(NotYours):
        await place.tournaments.order(tournament, ann.id, TournamentOrder("put_out", 1))
    await place.store._execute("update tournaments set person = 'ann' where id = $1", tournament)
    await place.tournaments.order(tournament, ann.id, TournamentOrder("put_out", 1))
    assert await place.tournaments.enter(tournament, late, ENTER) == 13
    await place.tournaments.go_on(tournament)
    state = await place.tournaments.load(tournament)
    assert sorted(n for each in state.tables.values() for n in each.numbers) == list(range(2, 14))


async def test_an_organiser_sets_up_only_a_few_at_the_same_time(place: Place) -> None:
    ann = Person("P1", "Ann", 1)
    await place.store.add_person(ann.id, ann.name, 1)
    await place.keep_accounts(1)
    made = await asyncio.gather(
        *(place.tournaments.create(ann, wish()) for _ in range(9)), return_exceptions=True
    )
    assert sum(isinstance(each, TooMany) for each in made) == 9 - service.MOST_ORGANISED


async def test_entry_may_ask_for_finished_games(place: Place) -> None:
    tournament = (await place.tournaments.create(None, wish(least_games=5))).id
    with pytest.raises(EntryClosed):
        await place.tournaments.enter(tournament, Person("new", "New", 1), ENTER)


async def test_a_bot_plays_only_where_machines_may(place: Place) -> None:
    await place.store.add_person("owner", "Owner", 1)
    keep = """insert into accounts (person, handle, folded, skeleton, kept_at)
        values ('owner', 'owner', 'owner', $1, 1)"""
    await place.store._execute(keep, b"owner")
    await place.store.accounts.tokens.add_bot(StoredBot("bot", "bot_1", "Bot", 1), "owner", "bot_1", b"bot_1")
    bot = Person("bot", "Bot", 1)
    with pytest.raises(EntryClosed, match="people only"):
        await place.tournaments.enter((await place.tournaments.create(None, wish())).id, bot, ENTER)
    mixed = await place.tournaments.create(None, wish(machines=["sage"]))
    assert await place.tournaments.enter(mixed.id, bot, ENTER) == 2


async def test_only_the_organiser_pauses_and_cancels_and_none_is_needed(place: Place) -> None:
    tournament = await place.enter(2)
    with pytest.raises(NotYours):
        await place.tournaments.order(tournament, "", TournamentOrder("cancel"))
    ann = Person("ann", "Ann", 1)
    await place.store.add_person(ann.id, ann.name, 1)
    with pytest.raises(NotYours, match="kept account"):
        await place.tournaments.create(ann, wish())


async def test_an_organiser_who_erases_the_account_leaves_a_tournament_that_goes_on(place: Place) -> None:
    ann = Person("ann", "Ann", 1)
    await place.store.add_person(ann.id, ann.name, 1)
    keep = (
        "insert into accounts (person, handle, folded, skeleton, kept_at) values ('ann', 'ann', 'ann', $1, 1)"
    )
    await place.store._execute(keep, b"ann")
    tournament = (await place.tournaments.create(ann, wish())).id
    for number in (1, 2):
        person = Person(f"P{number}", f"Person {number}", 1)
        await place.store.add_person(person.id, person.name, 1)
        await place.tournaments.enter(tournament, person, ENTER)
    await Forgetting(place.store, place.tables).erase("ann")
    await place.tournaments.go_on(tournament)
    state = await place.tournaments.load(tournament)
    head = await place.tournaments.head(state)
    assert (state.state, len(state.tables), head.organiser, head.title) == ("running", 1, "", "")
    listed = await place.store.tournaments.one(tournament)
    assert listed is not None
    assert not any(word in listed.about for word in (b"Ann", b"Evening"))


async def test_what_cannot_be_played_is_refused(place: Place) -> None:
    for more in (
        {"clock": {"kind": "correspondence"}},
        {"clock": {"kind": "none"}},
        {"machines": ["sage", "sage"]},
        {"title": "  "},
    ):
        with pytest.raises(BadMessage):
            await place.tournaments.create(None, wish(**more))


async def test_an_erased_entrant_leaves_points_and_no_name(place: Place) -> None:
    tournament = await place.enter(4)
    await place.tournaments.go_on(tournament)
    await Forgetting(place.store, place.tables).erase("P1")
    state = await place.close_tables(await place.tournaments.load(tournament))
    rows = {each.number: each for each in await place.tournaments.standings(state)}
    assert "Person 1" not in str(rows)
    assert "Person 2" in str(rows)
    assert await place.store.tournaments.entered("P1") == []


async def test_machines_play_a_tournament_by_themselves(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_TICK_MS", 20)
    monkeypatch.setattr(service, "_CLAIM_S", 0.02)
    machines = [*bots_of("ecard")][:4]
    state = await place.tournaments.create(None, wish(kind="rounds", rounds=2, machines=machines))
    assert state.setup.machines
    place.tournaments.start()
    try:
        async with asyncio.timeout(PATIENCE):
            while (await place.tournaments.load(state.id)).state != "over":
                await asyncio.sleep(0.02)
    finally:
        await place.tournaments.close()
        await place.tables.stop()
    state = await place.tournaments.load(state.id)
    assert sum(each.points for each in state.entrants.values()) == 2 * 2 * 2
    assert sorted(each.machine for each in state.entrants.values()) == sorted(machines)


# --- the feed --------------------------------------------------------------------------------------------


async def test_all_readers_get_the_same_bytes_and_a_gap_gets_the_whole(place: Place) -> None:
    tournament, feeds = await place.enter(4), TournamentFeeds(place.tournaments)
    head = (await place.tournaments.load(tournament)).head
    streams = [feeds.lines(tournament, since) for since in (0, head, head)]
    async with asyncio.timeout(PATIENCE):
        whole = msgspec.json.decode(await anext(streams[0]), type=TournamentUpdate)
        assert (whole.after, whole.head.v, len(whole.rows)) == (0, head, 4)
        waiting = [asyncio.ensure_future(anext(each)) for each in streams]
        await asyncio.sleep(0)
        await place.tournaments.enter(tournament, Person("P3", "Person 3", 1), TournamentEntry(paused=True))
        lines = await asyncio.gather(*waiting)
        assert lines[0] is lines[1] is lines[2]
        update = msgspec.json.decode(lines[0], type=TournamentUpdate)
        assert (update.after, update.head.v) == (head, head + 1)
        assert [(each.number, each.state) for each in update.rows] == [(3, "paused")]
        known = feeds.lines(tournament, head)
        assert await anext(known) is lines[0]
        gap = feeds.lines(tournament, head - 1)
        assert msgspec.json.decode(await anext(gap), type=TournamentUpdate).after == 0
    for each in (*streams, known, gap):
        await each.aclose()  # type: ignore[attr-defined]
    assert not feeds._feeds, "nobody looks: nothing is followed"


async def pause(place: Place, tournament: str, number: int) -> None:
    """Let an entrant pause, which everyone who looks at the tournament on this server has read."""
    person = Person(f"P{number}", f"Person {number}", 1)
    await place.tournaments.enter(tournament, person, TournamentEntry(paused=True))
    await place.tournaments.load(tournament)


async def read(lines: AsyncIterator[bytes]) -> TournamentUpdate:
    async with asyncio.timeout(PATIENCE):
        return msgspec.json.decode(await anext(lines), type=TournamentUpdate)


async def test_what_changes_while_a_change_is_written_comes_with_the_next_one(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, feeds = await place.enter(4), TournamentFeeds(place.tournaments)
    head = (await place.tournaments.load(tournament)).head
    names = place.tournaments.names

    async def read_slowly(tournament: str) -> dict[int, EntrantRow]:
        monkeypatch.setattr(place.tournaments, "names", names)
        await pause(place, tournament, 3)
        return await names(tournament)

    lines = feeds.lines(tournament, head)
    reading = asyncio.ensure_future(read(lines))
    await asyncio.sleep(0)
    monkeypatch.setattr(place.tournaments, "names", read_slowly)
    await pause(place, tournament, 2)
    updates = [await reading, await read(lines)]
    assert [(each.after - head, each.head.v - head) for each in updates] == [(0, 1), (1, 2)]
    assert [[row.number for row in each.rows] for each in updates] == [[2], [3]]
    await lines.aclose()  # type: ignore[attr-defined]


async def test_a_change_that_could_not_be_written_comes_with_the_next_one(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, feeds = await place.enter(4), TournamentFeeds(place.tournaments)
    head = (await place.tournaments.load(tournament)).head
    names = place.tournaments.names

    async def fail(tournament: str) -> dict[int, EntrantRow]:
        monkeypatch.setattr(place.tournaments, "names", names)
        raise StoreFailed("the plug is pulled")

    lines = feeds.lines(tournament, head)
    reading = asyncio.ensure_future(read(lines))
    await asyncio.sleep(0)
    monkeypatch.setattr(place.tournaments, "names", fail)
    await pause(place, tournament, 2)
    update = await reading
    assert (update.head.v - head, [row.number for row in update.rows]) == (1, [2])
    await lines.aclose()  # type: ignore[attr-defined]


async def test_the_whole_is_sent_once_though_the_tournament_has_gone_on(place: Place) -> None:
    tournament, feeds = await place.enter(4), TournamentFeeds(place.tournaments)
    head = (await place.tournaments.load(tournament)).head
    first, late = feeds.lines(tournament, 0), feeds.lines(tournament, 0)
    await read(first)
    feed = feeds._feeds[tournament]
    feed._on_hint = lambda *_: None  # type: ignore[method-assign]
    feed._task.cancel()  # type: ignore[union-attr]
    await pause(place, tournament, 2)
    newer = feeds.lines(tournament, head + 1)
    waiting = asyncio.ensure_future(read(newer))
    updates = [await read(late)]
    following = asyncio.ensure_future(read(late))
    await asyncio.sleep(0.05)
    assert not following.done()
    await feed.catch_up()
    updates.append(await following)
    assert [(each.after, each.head.v - head) for each in updates] == [(0, 0), (head, 1)]
    await pause(place, tournament, 3)
    await feed.catch_up()
    assert (await waiting).after == head + 1
    for each in (first, late, newer):
        await each.aclose()  # type: ignore[attr-defined]


async def test_two_who_look_first_miss_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, feeds = await place.enter(4), TournamentFeeds(place.tournaments)
    head = (await place.tournaments.load(tournament)).head
    load, asked, free = place.tournaments.load, asyncio.Event(), asyncio.Event()

    async def load_slowly(tournament: str) -> Tournament:
        monkeypatch.setattr(place.tournaments, "load", load)
        asked.set()
        await free.wait()
        return await load(tournament)

    monkeypatch.setattr(place.tournaments, "load", load_slowly)
    late, first = feeds.lines(tournament, head), feeds.lines(tournament, head)
    reading = [asyncio.ensure_future(read(late))]
    await asked.wait()
    reading.append(asyncio.ensure_future(read(first)))
    while not feeds._feeds:
        await asyncio.sleep(0)
    await pause(Place(place.store), tournament, 2)  # another server, whose hint is lost
    free.set()
    for update in await asyncio.gather(*reading):
        assert (update.after, [row.number for row in update.rows]) == (head, [2])
    for each in (first, late):
        await each.aclose()  # type: ignore[attr-defined]
