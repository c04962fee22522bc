"""The store interface: class `Store`.

`Store` holds the statements that SQLite and PostgreSQL share; a subclass adds the connections and the
statements that differ. A store knows neither games nor sockets nor the meaning of a body.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from facedown.core.errors import FacedownError
from facedown.core.merkle import Subtree, leaf_hash
from facedown.protocol.errors import NotFound
from facedown.server.store import ended, log, standings, tickets
from facedown.server.store import forget as forgetting
from facedown.server.store.accounts import (
    ADD_KEY,
    UNKNOWN_ORIGIN,
    AccountRows,
    PasskeyRows,
    SessionOrigin,
    key_row,
    take_handover,
)
from facedown.server.store.acquaintances import AcquaintanceRows
from facedown.server.store.callers import current_caller
from facedown.server.store.cases import CaseChange, CaseRows, Report, StoredCase, add_report, change_case
from facedown.server.store.contacts import (
    AFTER_BLOCK,
    KEEP_NEWEST,
    MOST_SUBSCRIPTIONS,
    NOTICE_LOCK,
    SUBSCRIBE,
    UNCLAIMED_NOTICES,
    ChallengeRefusal,
    ContactRows,
    claim_notices,
    save_challenge,
)
from facedown.server.store.minds import MindRows
from facedown.server.store.outages import OWED
from facedown.server.store.profiles import ProfileRows
from facedown.server.store.steps import BeginSteps, Steps, batches, checked, places
from facedown.server.store.tokens import ROTATE_SEAT_TOKEN
from facedown.server.store.tournaments import TournamentRows
from facedown.server.store.values import (
    LATEST,
    Append,
    EventRow,
    FindPlayed,
    FoldGames,
    ForgetBefore,
    Forgotten,
    GamePlace,
    ListedRow,
    Notice,
    Person,
    PlayedSeat,
    RatingKeys,
    Relation,
    Run,
    RunAll,
    StoredRating,
    StoredResponse,
    StoreStats,
    Subscription,
    WrittenText,
    latest_ratings,
    listed_row,
    rating_keys,
)

T = TypeVar("T")

# --- the store -------------------------------------------------------------------------------------------

READY_S: Final = 5.0
"""How long a write may take before the store counts as not ready."""
LISTED: Final = """select tables.id, head, deadline, changed_at,
    tables.game, rules, state, public, created_at, about"""
"""The columns of a `ListedRow`."""
_PERSON_GAMES: Final = f"""{LISTED}, seat, at from
    (select table_id, seat, at from played
        where person = $1 and at between $5 and $3 and (at < $3 or table_id < $4)
        order by at desc, table_id desc limit $2) as mine
    join tables on tables.id = table_id order by at desc, table_id desc"""
"""The games of a person that ended before a place in their order, and since a time."""
_REARM: Final = """update tables set claimed_until = null,
    wake_at = case when deadline is null or $3 < deadline then $3 else deadline end
    where id = $1 and head = $2"""

Stand: TypeAlias = "Callable[[StoredRating], standings.StoredStanding]"
OnDone: TypeAlias = "Callable[[Any, BaseException | None], None]"
"""Receives the result or the error of a write, on the event loop."""
Statement: TypeAlias = "tuple[str, Sequence[object]]"
"""A statement and its values."""


class Store(ABC):
    """Everything that outlives the process. A write that was answered is on the disk.

    Statements number their parameters: `$1`, `$2`. Tokens and codes come as hashes, never in the clear.
    """

    stats: StoreStats
    shared: bool
    """Whether several servers may use this store at once."""
    epoch: int
    """Grows when another database takes over, which may not have the last events."""

    LOCK: ClassVar[str]
    """Ends a query whose rows have to stay until the commit."""

    # --- statements ------------------------------------------------------------------------------------

    @abstractmethod
    def _select(self, statement: str, *values: object) -> Awaitable[list[Any]]:
        """All rows of a query. It sees every write that was answered before."""

    async def _select_one(self, statement: str, *values: object) -> Any:
        """The first row of a query, or None."""
        found = await self._select(statement, *values)
        return found[0] if found else None

    @abstractmethod
    def _execute(self, statement: str, *values: object) -> Awaitable[list[Any]]:
        """Run a statement that writes; the rows that it returns. Cancelling the caller does not undo it."""

    @abstractmethod
    def _execute_all(self, *statements: Statement) -> Awaitable[None]:
        """Run statements in one transaction."""

    @abstractmethod
    async def _transact(self, begin: Callable[[], Steps[T]], lock: int = 0) -> T:
        """Run steps of the server's own in one transaction, which may begin again after a rollback.

        With the number of a lock, one server at a time."""

    @property
    def _how(self) -> tuple[Run, Run, RunAll]:
        """How rows run their statements."""
        return self._select, self._execute, self._execute_all

    # --- tables ----------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def waiting(self) -> int:
        """How many writes have not been started."""

    @abstractmethod
    def append(self, batch: Append) -> asyncio.Future[None]:
        """Save a transaction of a table, in order, together with others; resolved after the durable commit.

        Fails with `HeadMoved`, `CommandKnown` or `StoreFailed`. After the last, read the table again: if the
        connection broke it may be saved, and reads wait until that is certain.
        """

    @abstractmethod
    def append_then(self, batch: Append, done: OnDone) -> None:
        """The same without a future: `done` is called on the event loop, with the failure or None."""

    @abstractmethod
    async def rows(self, table: str, after: int = 0) -> list[EventRow]:
        """The table's events later than `after`, in order."""

    @abstractmethod
    async def tables(
        self,
        *,
        state: str = "",
        game: str = "",
        public: bool | None = None,
        person: str = "",
        limit: int = 50,
    ) -> list[ListedRow]:
        """Tables that match, newest first; with a person, the tables at which they hold a seat, last changed
        first."""

    @abstractmethod
    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        """The head of each of these tables; unknown ones are left out."""

    async def listed(self, table: str) -> ListedRow | None:
        found = await self._select_one(f"{LISTED} from tables where id = $1", table)
        return None if found is None else listed_row(found)

    async def person_games(
        self, person: str, limit: int = 50, before: GamePlace = LATEST, since: int = 0
    ) -> list[tuple[ListedRow, GamePlace]]:
        """The person's finished games as noted by `note_played`, last ended first, and their places."""
        found = await self._select(_PERSON_GAMES, person, limit, *before, since)
        return [(listed_row(fields, (seat,)), GamePlace(at, fields[0])) for *fields, seat, at in found]

    async def stale_tables(self, before: int, limit: int = 100) -> list[str]:
        """Open tables that have not changed since then."""
        query = "select id from tables where state = 'open' and changed_at <= $1 order by changed_at limit $2"
        return [table for (table,) in await self._select(query, before, limit)]

    async def set_about(self, table: str, about: bytes, before: bytes) -> None:
        """Change the part of a table's summary that the store does not read, if it is still as before."""
        update = "update tables set about = $1 where id = $2 and about = $3"
        await self._execute(update, about, table, before)

    # --- the public log --------------------------------------------------------------------------------

    async def number_log_entries(self, limit: int) -> int:
        """Number the entries that have no number, and save the subtrees that they complete, in one write.

        Returns how many entries these were.
        """
        if not await self._select(log.UNNUMBERED, 1):
            return 0
        return await self._transact(partial(log.number_entries, limit), log.LOCK)

    async def add_log_entry(self, entry: bytes) -> None:
        """Save an entry that belongs to no table, once."""
        insert = "insert into log_entries (entry, hash) values ($1, $2) on conflict do nothing"
        await self._execute(insert, entry, leaf_hash(entry))

    async def log_size(self) -> int:
        """How many entries have a number."""
        return int((await self._select_one(log.SIZE))[0])

    async def log_index(self, leaf: bytes) -> int | None:
        """The number of the entry with this leaf hash, from 0; None if it has none, or is unknown."""
        found = await self._select_one("select n from log_entries where hash = $1", leaf)
        return None if found is None else found[0]

    async def log_entries(self, after: int, limit: int) -> list[bytes]:
        """Entries in the order of their numbers, from number `after`."""
        query = "select entry from log_entries where n >= $1 order by n limit $2"
        return [entry for (entry,) in await self._select(query, after, limit)]

    async def log_hashes(self, nodes: Sequence[Subtree]) -> dict[Subtree, bytes]:
        """The hashes of full subtrees."""
        if not nodes:
            return {}
        places = [f"(cast(${n} as bigint), cast(${n + 1} as bigint))" for n in range(1, 2 * len(nodes), 2)]
        query = f"""with wanted (level, place) as (values {", ".join(places)})
            select n.level, n.place, n.hash from wanted w cross join log_nodes n
            where n.level = w.level and n.place = w.place"""
        values = [number for node in nodes for number in node]
        return {Subtree(level, place): leaf for level, place, leaf in await self._select(query, *values)}

    # --- claims ------------------------------------------------------------------------------------------

    @abstractmethod
    async def claim_due(self, now: int, lease_ms: int, limit: int, stall_ms: int) -> list[str]:
        """Claim tables that are due, soonest first; the claim ends with the lease, or with the next append.

        A table is due at its deadline or `wake`, whichever is sooner. A shared store goes by its own clock,
        and not by `now`. If no server has beaten for longer than `stall_ms`, nothing is due: that outage has
        to be credited first.
        """

    async def rearm(self, table: str, head: int, wake: int | None) -> None:
        """End the claim of a table at which nothing was appended; it is due again at `wake` or its deadline.

        Does nothing if the table is not at `head` any more.
        """
        await self._execute(_REARM, table, head, wake)

    # --- heartbeats and outages --------------------------------------------------------------------------

    @abstractmethod
    async def beat(self, node: str, now: int, stall_ms: int) -> int:
        """Save that this server lives; if no server has beaten for longer than `stall_ms`, record an outage.

        Returns how long it was, or 0. Only the first of several servers that come back together records it.
        """

    @abstractmethod
    async def owed_tables(self, tables: Sequence[str]) -> list[str]:
        """Those of these tables that are owed an outage (`outage_of`)."""

    async def outage_of(self, table: str) -> int:
        """What the clocks of a table are owed for outages, in ms, until an event of kind `outage`."""
        found = await self._select_one(f"select {OWED} from tables where id = $1", table)
        return 0 if found is None else found[0]

    async def nodes(self) -> list[tuple[str, int]]:
        """The servers that share this store, and when each was last alive, latest first."""
        query = "select node, seen_at from nodes order by seen_at desc, node limit 100"
        return [(node, at) for node, at in await self._select(query)]

    # --- presence ----------------------------------------------------------------------------------------

    @abstractmethod
    async def mark_seen(self, table: str, seats: Sequence[int], now: int) -> dict[int, int]:
        """Save that the people on these seats are connected now; returns that time by the store's clock."""

    async def last_seen(self, table: str) -> dict[int, int]:
        """When the people on a table's seats were connected last, by the store's clock; 0 for never."""
        found = await self._select("select seat, seen_at from seats where table_id = $1", table)
        return {seat: at for seat, at in found}  # noqa: C416  # rows of a record type

    async def was_seen(self, person: str, since: int) -> bool:
        """Whether a person was connected to a seat since then, by what servers have written."""
        query = "select 1 from seats where person = $1 and seen_at > $2 limit 1"
        return await self._select_one(query, person, since) is not None

    # --- finished games --------------------------------------------------------------------------------

    async def ends_since(self, since: int, limit: int) -> list[int]:
        """When the last games ended."""
        query = "select at from ended where number > 0 order by number desc limit $1"
        return [at for (at,) in await self._select(query, limit) if at > since]

    async def rate(
        self, fold: FoldGames, limit: int, stand: Stand | None = None, keys: RatingKeys = rating_keys
    ) -> int:
        """Fold the next finished games into the ratings, each game once; `stand` gives the standing that
        follows from a rating, `keys` the ratings that the fold has to know.

        Returns how many games these were: 0 if none was left, or if another server has folded them.
        """
        if not await self._select(ended.TO_RATE):
            return 0
        games = await self._transact(partial(ended.games_to_rate, limit), ended.LOCK)
        if not games:
            return 0
        known = await self._transact(partial(ended.latest, keys(games)))
        rated = await asyncio.to_thread(fold, games, known)
        stand_now = [stand(each) for each in latest_ratings(rated)] if stand else []
        save = partial(ended.save_ratings, games, rated, stand_now)
        return len(games) if await self._transact(save, ended.LOCK) else 0

    async def ratings(self, person: str) -> list[StoredRating]:
        """A person's ratings after each of the last games, by game, oldest first."""
        query = """select person, game, games, at, mean, deviation from ratings where person = $1
            order by game, games"""
        return [StoredRating(*found) for found in await self._select(query, person)]

    async def note_played(self, find: FindPlayed, limit: int) -> int:
        """Note who played the next finished games, each game once; erased people are left out.

        Returns how many games these were: 0 if none was left.
        """
        if not await self._select(ended.TO_NOTE):
            return 0
        games = await self._transact(partial(ended.games_to_note, limit), ended.LOCK)
        if games:
            played = find(games)
            await self._transact(partial(ended.save_played, games, played, self.LOCK), ended.LOCK)
        return len(games)

    async def played(self, person: str) -> list[PlayedSeat]:
        """The person's noted games, oldest first."""
        query = """select person, at, table_id, seat, game, outcome from played where person = $1
            order by at, table_id"""
        return [PlayedSeat(*found) for found in await self._select(query, person)]

    # --- people ----------------------------------------------------------------------------------------

    async def add_person(self, person: str, name: str, at: int) -> None:
        await self._execute("insert into people (id, name, created_at) values ($1, $2, $3)", person, name, at)

    async def person(self, person: str) -> Person | None:
        found = await self._select_one("select id, name, created_at from people where id = $1", person)
        return None if found is None else Person(*found)

    async def texts_of(self, person: str) -> list[WrittenText]:
        """The names and chat messages of a person in the events of tables, oldest first."""
        query = """select table_id, v, slot, at, text from texts where person = $1
            order by at, table_id, v, slot"""
        return [WrittenText(*found) for found in await self._select(query, person)]

    async def erase_person(self, person: str, name: str) -> list[str]:
        """Delete a person; in events their names become `name`. Returns the tables they appear at."""
        begin = checked(current_caller(), lambda _: forgetting.erase(person, name), self.LOCK)
        return await self._transact(lambda: begin(0))

    @abstractmethod
    async def drop_traces(self) -> None:
        """Remove what erased data left in the journal of the database, as far as the store can."""

    async def forget(self, rules: ForgetBefore) -> Forgotten:
        """Delete what has not been used since the times of the rules (docs/operators.md)."""
        guests: list[str] = []
        last = ""
        while page := await self._select(forgetting.PEOPLE, rules.guests, last, forgetting.PAGE):
            guests += [person for person, is_unused in page if is_unused]
            last = page[-1][0]
        erased, last = list[str](), ""
        while page := await self._select(forgetting.RATED_PEOPLE, last, forgetting.PAGE):
            erased += [person for person, is_erased in page if is_erased]
            last = page[-1][0]
        return await self._transact(partial(forgetting.forget, rules, guests, erased))

    # --- credentials -----------------------------------------------------------------------------------

    @property
    def accounts(self) -> AccountRows:
        return AccountRows(*self._how)

    @property
    def passkeys(self) -> PasskeyRows:
        return PasskeyRows(*self._how)

    @property
    def ladders(self) -> standings.LadderRows:
        return standings.LadderRows(*self._how)

    @property
    def profiles(self) -> ProfileRows:
        return ProfileRows(*self._how)

    @property
    def minds(self) -> MindRows:
        return MindRows(*self._how)

    @property
    def acquaintances(self) -> AcquaintanceRows:
        return AcquaintanceRows(*self._how)

    @property
    def contacts(self) -> ContactRows:
        return ContactRows(*self._how)

    async def add_key(
        self,
        key: bytes,
        person: str,
        kind: str,
        at: int,
        expires: int | None,
        origin: SessionOrigin = UNKNOWN_ORIGIN,
    ) -> None:
        """Save the hash of a session token of a person: a cookie, or the bearer token of a program."""
        await self._execute(ADD_KEY, *key_row(key, person, kind, at, expires, origin))

    async def take_handover(
        self, claim: bytes, now: int, key: bytes, kind: str, expires: int | None, origin: SessionOrigin
    ) -> str | None:
        """Make the session of a handover that was allowed, once; its person, or None if there is none.

        In one transaction: who signs out everywhere meanwhile ends either the handover or the session."""
        return await self._run_steps(lambda _: take_handover(claim, now, key, kind, expires, origin))

    async def use_key(self, key: bytes, now: int, expires: int | None) -> None:
        await self._execute("update keys set used = $1, expires = $2 where hash = $3", now, expires, key)

    async def key_times(self, key: bytes) -> tuple[int, int | None] | None:
        """When a credential was last used, and when it expires."""
        found = await self._select_one("select used, expires from keys where hash = $1", key)
        return None if found is None else (found[0], found[1])

    async def person_of(self, key: bytes, kind: str, now: int) -> Person | None:
        """The person with this credential; None if it is unknown, of another kind or expired."""
        query = """select people.id, people.name, people.created_at from keys
            join people on people.id = keys.person
            where keys.hash = $1 and keys.kind = $2 and (keys.expires is null or keys.expires > $3)"""
        found = await self._select_one(query, key, kind, now)
        return None if found is None else Person(*found)

    async def drop_key(self, key: bytes) -> None:
        """Delete a credential, and everything of its device."""
        await self.accounts.drop(key)

    # --- tickets ---------------------------------------------------------------------------------------

    @abstractmethod
    async def _run_steps(self, begin: BeginSteps[T]) -> T:
        """Run the steps of tickets in one transaction, one server at a time; `begin` gets the store's time.

        The steps may begin again after a rollback."""

    async def put_ticket(
        self, ticket: tickets.Ticket, choose: tickets.ChooseGroup, make: tickets.SetTable
    ) -> tickets.TicketState:
        """Let a person wait for others, or go on waiting; makes the table as soon as there are enough."""
        return await self._run_steps(lambda at: tickets.put(ticket, at, choose, make))

    async def look_at_ticket(self, person: str) -> tickets.TicketState | None:
        """What has become of a person's ticket; None if they neither wait nor have a table. A game that is
        over already counts as being played: no search begins again without a request. Takes no lock."""
        found, at = await self._select_one(tickets.OWN, person), await self.time()
        if found is None:
            return None
        pool, since, expires, table, seat, by_days, state, made_at, _, shown = found
        if state in tickets.LIVE and not shown:
            await self._execute(tickets.SHOW, person, table)
        if state in (*tickets.LIVE, "playing", "over"):
            people = tuple(tickets.PairedPerson(*each) for each in await self._select(tickets.PAIRED, table))
            return tickets.TicketState(
                since, 0, table, made_at, people, bool(by_days), playing=state not in tickets.LIVE
            )
        if seat or not pool or expires <= at:
            return None
        waiting = await self._select_one(tickets.WAITING_IN, pool, at)
        return tickets.TicketState(since, waiting[0], by_days=bool(by_days))

    async def withdraw_ticket(self, person: str) -> tickets.WithdrawnTicket:
        """Let a person wait no longer, or decline the table that was found."""
        return await self._run_steps(lambda at: tickets.withdraw(person, at))

    @property
    def conduct(self) -> tickets.ConductRows:
        return tickets.ConductRows(*self._how)

    async def challenge(
        self, person: str, other: str, make: Callable[[], Append]
    ) -> ChallengeRefusal | Append:
        """Save a challenge to another person with its table; or why it is refused."""
        return await self._run_steps(lambda at: save_challenge(person, other, at, make))

    @property
    def tournaments(self) -> TournamentRows:
        return TournamentRows(self._select, self._execute, self._run_steps)

    async def pools(self) -> list[tuple[str, int]]:
        """The pools in which people wait, and how many, most first."""
        return [(pool, count) for pool, count in await self._select(tickets.POOLS, await self.time())]

    async def ticket_of(self, person: str) -> tuple[str, int] | None:
        """The pool in which a person waits, or waited last, and since when; None if there is none."""
        found = await self._select_one(tickets.OWN, person)
        return (found[0], found[1]) if found is not None and found[0] else None

    # --- seats and invites -----------------------------------------------------------------------------

    async def seat_of(self, table: str, token: bytes) -> tuple[int, str] | None:
        """The seat and the person of a seat token. The first use of a new token invalidates the old one."""
        if not token:
            return None
        query = """select seat, person, token = $2 and previous is not null from seats
            where table_id = $1 and (token = $2 or previous = $2)"""
        found = await self._select_one(query, table, token)
        if found is None:
            return None
        seat, person, is_first_use = found
        if is_first_use:
            forget = "update seats set previous = null where table_id = $1 and seat = $2 and token = $3"
            await self._execute(forget, table, seat, token)
        return seat, person

    async def rotate_seat_token(self, table: str, seat: int, token: bytes, key: bytes = b"") -> None:
        """Set a new token for a seat, which ends with the credential `key`. The one in use stays valid until
        the new one is used."""
        await self._execute(ROTATE_SEAT_TOKEN, token, table, seat, key)

    async def invite_of(self, table: str) -> str | None:
        found = await self._select_one("select code from invites where table_id = $1", table)
        return None if found is None else found[0]

    async def table_of_invite(self, code: str) -> str | None:
        found = await self._select_one("select table_id from invites where code = $1", code)
        return None if found is None else found[0]

    # --- moderation ------------------------------------------------------------------------------------

    async def relations(self) -> list[Relation]:
        """All mutes and blocks."""
        query = """select id, person, other, kind, name, at from relations where kind <> 'follow'
            order by id"""
        return [Relation(*found) for found in await self._select(query)]

    async def relate(self, relation: Relation) -> Relation:
        """Save a mute or block, instead of what was between the two; returns it with its id.

        A blocked person no longer follows or challenges the other."""
        insert = """insert into relations (person, other, kind, name, at) values ($1, $2, $3, $4, $5)
            on conflict (person, other)
            do update set kind = excluded.kind, name = excluded.name, at = excluded.at returning id"""
        fields = (relation.person, relation.other, relation.kind, relation.name, relation.at)
        ((number,),) = await self._execute(insert, *fields)
        if relation.kind == "block":
            await self._execute_all(*((each, (relation.other, relation.person)) for each in AFTER_BLOCK))
        return replace(relation, id=number)

    async def drop_relation(self, person: str, number: int) -> None:
        await self._execute("delete from relations where person = $1 and id = $2", person, number)

    @property
    def cases(self) -> CaseRows:
        return CaseRows(*self._how)

    async def report(self, report: Report) -> None:
        """Save a report in the open case of its person, which it may begin."""
        await self._run_steps(lambda _: add_report(report))

    async def change_case(self, case: int, change: CaseChange) -> StoredCase:
        """Change a case; raises what `change` returns as a refusal, and `NotFound` if there is no such
        case."""
        changed = await self._run_steps(lambda at: change_case(case, at, change))
        if changed is None:
            raise NotFound("there is no case of this number")
        if isinstance(changed, FacedownError):
            raise changed
        return changed

    # --- push ------------------------------------------------------------------------------------------

    async def subscribe(self, person: str, subscription: Subscription, session: str = "") -> None:
        """Save a push subscription, which ends with this session; it is the last subscriber's alone."""
        fields = (subscription.endpoint, person, subscription.p256dh, subscription.auth, session)
        await self._execute_all((SUBSCRIBE, fields), (KEEP_NEWEST, (person, MOST_SUBSCRIPTIONS)))

    async def unsubscribe(self, person: str, endpoint: str = "") -> None:
        """Delete a push subscription; without an endpoint, all of the person's."""
        delete = "delete from subscriptions where person = $1 and ($2 = '' or endpoint = $2)"
        await self._execute(delete, person, endpoint)

    async def subscriptions(self, person: str) -> list[Subscription]:
        query = "select endpoint, p256dh, auth from subscriptions where person = $1 order by number"
        return [Subscription(*found) for found in await self._select(query, person)]

    async def claim_notices(self, now: int, lease_ms: int, limit: int) -> list[tuple[int, Notice]]:
        """Notices that no server is sending, oldest first: this server's until the lease is over."""
        if not await self._select(UNCLAIMED_NOTICES, now, 1):
            return []
        claimed = await self._transact(partial(claim_notices, now, lease_ms, limit), NOTICE_LOCK)
        self.stats.claims += len(claimed)
        return claimed

    async def delete_notices(self, ids: Sequence[int]) -> None:
        """Delete notices that were sent, or cannot be."""
        for some in batches(ids):
            await self._execute(f"delete from notices where id in ({places(some)})", *some)

    # --- responses and single values -------------------------------------------------------------------

    async def stored_response(self, person: str, key: str) -> StoredResponse | None:
        query = "select person, key, body, digest from answers where person = $1 and key = $2"
        found = await self._select_one(query, person, key)
        return None if found is None else StoredResponse(*found)

    async def set_value(self, name: str, value: bytes) -> None:
        insert = """insert into notes (name, value) values ($1, $2)
            on conflict (name) do update set value = excluded.value"""
        await self._execute(insert, name, value)

    async def replace_value(self, name: str, before: bytes, value: bytes) -> bool:
        """Save a value if the name still has the one before; returns whether it had."""
        query = "update notes set value = $3 where name = $1 and value = $2 returning name"
        return bool(await self._execute(query, name, before, value))

    async def get_value(self, name: str) -> bytes | None:
        found = await self._select_one("select value from notes where name = $1", name)
        return None if found is None else found[0]

    async def values_of(self, prefix: str) -> list[tuple[str, bytes]]:
        """The values whose names begin with this, by name."""
        query = "select name, value from notes where substr(name, 1, $2) = $1 order by name"
        return [(name, value) for name, value in await self._select(query, prefix, len(prefix))]

    async def drop_value(self, name: str) -> None:
        await self._execute("delete from notes where name = $1", name)

    async def set_value_once(self, name: str, value: bytes) -> bytes:
        """Save a value unless the name has one; returns the saved value."""
        insert = "insert into notes (name, value) values ($1, $2) on conflict do nothing"
        await self._execute(insert, name, value)
        return bytes(await self.get_value(name) or b"")

    # --- the store itself ------------------------------------------------------------------------------

    @property
    @abstractmethod
    def url(self) -> str:
        """The address of the store, with its password if it has one."""

    @abstractmethod
    async def time(self) -> int:
        """The store's clock, in ms since 1970 (UTC). If the system's was set back, it goes on from the last
        heartbeat: no player gains time. It follows a step of more than a day: the clock was wrong."""

    @abstractmethod
    async def ready(self) -> None:
        """Return once a write has reached the disk; raises `StoreFailed` if none does."""

    @abstractmethod
    async def close(self) -> None:
        """Write what is waiting, then release everything."""
