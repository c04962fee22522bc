"""Tournaments of one store: setting up, entering, and what is due at a time, on any server.

A tournament that is due is claimed like a table. Facts are appended only at the head that they follow from,
so that two servers never pair the same entrants; an organiser is not needed once it is set up.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple, TypeVar

import msgspec

from facedown.bots.find import bots_of
from facedown.core import registry
from facedown.core.match import check_seats
from facedown.core.text.sanitise import one_line
from facedown.protocol.errors import (
    BadMessage,
    EntryClosed,
    KeepFirst,
    NotFound,
    NotYours,
    TooMany,
    UnknownTournament,
)
from facedown.protocol.messages import Clock
from facedown.protocol.tournaments import (
    NewTournament,
    StandingRow,
    TournamentEntry,
    TournamentHead,
    TournamentList,
    TournamentOrder,
    Trophy,
)
from facedown.server.clock import MINUTE_MS, SECOND_MS, now
from facedown.server.ids import new_id
from facedown.server.names import distinct_names
from facedown.server.ops.backoff import Turns
from facedown.server.ops.logs import get_log
from facedown.server.store.base import Store
from facedown.server.store.tournaments import (
    EntrantRow,
    ListedTournament,
    TournamentAppend,
    TournamentEvent,
    TournamentMoved,
)
from facedown.server.store.values import MACHINE_PREFIX, Append, Person
from facedown.server.table.setup import paired_table
from facedown.server.table.summary import details_of
from facedown.server.table.tables import Tables
from facedown.server.tournaments.facts import (
    MOST_ABSENCES,
    AnyTournamentFact,
    Entrant,
    EntrantChanged,
    EntrantJoined,
    GamePlayed,
    PlannedTable,
    TablesPaired,
    Tournament,
    TournamentBegun,
    TournamentCreated,
    TournamentEnded,
    TournamentPaused,
    encode_fact,
)
from facedown.server.tournaments.pairing import SeatedEntrants, next_games
from facedown.sim.ratings import START, Rating

T = TypeVar("T")

SEATING_MS: Final = 120 * SECOND_MS
"""How long entrants may take to sit down at their table."""
MOST_ENTRANTS: Final = {"arena": 2000, "rounds": 500}
MOST_ORGANISED: Final = 3
"""Tournaments of one organiser that are not over."""
TROPHY_ACCOUNTS: Final = 8
"""Kept accounts that have entered a tournament whose first three places are shown on profiles."""
PATIENCE_MS: Final = 30 * MINUTE_MS
"""How long after its time a tournament without enough people waits for them."""
_TICK_MS: Final = 1000
"""How often a server looks for finished tables."""
_PAUSED_TICK_MS: Final = 20 * SECOND_MS
_LATE_MS: Final = 15 * MINUTE_MS
"""How long after its end an arena waits for its last games."""
_LEASE_MS: Final = 5000
_CLAIM_S: Final = 0.5
_CLAIMED: Final = 20
_TURN_S: Final = 1.0
"""How long a claim waits for the tournaments that are due before the next ones are claimed."""
_CLAIMING: Final = "tournaments"
_RETRIES: Final = 20
_MOVES: Final = 5
"""How often others may be first before a turn is given up."""
_CACHED: Final = 200
_TROPHIES: Final = 12
_FRESH_MS: Final = 10 * SECOND_MS
"""How long names of entrants are not read again."""
_encode_about = msgspec.json.Encoder().encode
_decode_about: Final = msgspec.json.Decoder(TournamentHead).decode


def topic_of(tournament: str) -> str:
    """The topic of hints that a tournament has gone on."""
    return f"tournament/{tournament}"


class _Due(NamedTuple):
    """What is due in a tournament: facts, the tables that they make, and the people at these."""

    facts: Sequence[AnyTournamentFact]
    tables: Sequence[Append] = ()
    people: Sequence[str] = ()


class Tournaments:
    """The tournaments of one store, on one of its servers."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._rows = store.tournaments
        self._tables = tables
        self.bus = tables.bus
        self.backoff = tables.backoff
        self._turns = Turns(tables.backoff, "tournament that was due")
        self._loaded: dict[str, Tournament] = {}
        self._changing: dict[str, asyncio.Lock] = {}
        self._standings: dict[str, tuple[int, int, tuple[StandingRow, ...]]] = {}
        """The head, the time, and the rows of the standings that were read last."""
        self._task: asyncio.Task[None] | None = None
        self._log = get_log(__name__)

    # --- reading --------------------------------------------------------------------------------------

    async def load(self, tournament: str) -> Tournament:
        """The tournament as it is in the store; raises `UnknownTournament`.

        All requests share it, and any of them may bring it up to date: a change needs a copy of its own, or
        what was made from an old head would be saved at a new one.
        """
        state = self._loaded.get(tournament) or Tournament(tournament)
        for event in await self._rows.rows(tournament, state.head):
            if event.v == state.head + 1:  # another request may have read it, too
                state.read(*event)
        if not state.head:
            raise UnknownTournament("there is no tournament with this id")
        if len(self._loaded) >= _CACHED and tournament not in self._loaded:
            self._loaded.clear()
            self._standings.clear()
            self._changing.clear()
        self._loaded[tournament] = state
        return state

    async def listed(self, over: int) -> TournamentList:
        """Tournaments that run, that will start, and the last ones that are over."""
        running, waiting, done = [
            tuple(map(_listed_head, await self._rows.in_state(state, limit) if limit else ()))
            for state, limit in (("running", 50), ("open", 50), ("over", over))
        ]
        return TournamentList(running, waiting, done)

    async def head(self, state: Tournament) -> TournamentHead:
        """The head of a tournament as it is now."""
        listed = await self._rows.one(state.id)
        assert listed is not None
        return _head(state, listed)

    async def standings(self, state: Tournament) -> tuple[StandingRow, ...]:
        """The rows of all entrants, best first; the same object for everyone who asks at about this time."""
        head, read_at, rows = self._standings.get(state.id, (0, 0, ()))
        if head != state.head or now() - read_at > _FRESH_MS:
            names = await self.names(state.id)
            rows = tuple(standing_row(state, each, names) for each in state.ranked())
            self._standings[state.id] = state.head, now(), rows
        return rows

    async def names(self, tournament: str) -> dict[int, EntrantRow]:
        """The entrants by number; people by the names that they have now, and no two by the same one."""
        entrants = await self._rows.entrants(tournament)
        people = distinct_names("" if each.machine else each.name for each in entrants)
        return {
            each.number: each._replace(name=name or each.name)
            for each, name in zip(entrants, people, strict=True)
        }

    async def own(self, tournament: str, person: str) -> int:
        """The number of a person in a tournament; 0 if they have not entered."""
        if not person:
            return 0
        entrants = await self._rows.entrants(tournament)
        return next((each.number for each in entrants if each.person == person), 0)

    async def organises(self, tournament: str, person: str) -> bool:
        listed = await self._rows.one(tournament)
        return bool(person) and listed is not None and listed.person == person

    async def trophies(self, person: str) -> tuple[Trophy, ...]:
        """The last places of a person among the first three."""
        found = await self._rows.trophies(person, _TROPHIES, TROPHY_ACCOUNTS)
        heads = [_decode_about(each.about) for each in found]
        return tuple(
            Trophy(each.tournament, each.title, head.game, head.kind, each.place, each.at)
            for each, head in zip(found, heads, strict=True)
        )

    # --- setting up and entering ----------------------------------------------------------------------

    async def create(self, organiser: Person | None, wanted: NewTournament) -> Tournament:
        """Set up a tournament; raises if it is not possible. None: the server itself is the organiser."""
        if organiser is not None and await self._store.accounts.account(organiser.id) is None:
            raise NotYours("only a kept account can set up a tournament: keep yours first")
        created = _check(wanted)
        facts: list[AnyTournamentFact] = [created]
        entrants = []
        for number, machine in enumerate(wanted.machines, 1):
            facts.append(EntrantJoined(number, START.points, machine))
            entrants.append(EntrantRow(number, "", machine, machine))
        state = Tournament(new_id())
        at = now()
        for fact in facts:
            state.apply(fact, at)
        listed = ListedTournament(
            id=state.id,
            head=0,
            state="open",
            person=organiser.id if organiser else "",
            organiser=organiser.name if organiser else "",
            title=_title(wanted.title),
            starts_at=created.starts_at,
            created_at=at,
            about=b"",
        )
        await self._save(state, facts, at, listed=listed, entrants=entrants)
        return await self.load(state.id)

    async def enter(self, tournament: str, person: Person, wanted: TournamentEntry) -> int:
        """Enter, pause, return, or wish for the weaker side; the number of the entrant."""

        async def change(state: Tournament) -> int:
            _check_open(state)
            number = await self.own(tournament, person.id)
            if number:
                await self._change_entry(state, state.entrants[number], wanted)
                return number
            setup = state.setup
            if sum(each.state != "out" for each in state.entrants.values()) >= MOST_ENTRANTS[setup.kind]:
                raise EntryClosed("it is full")
            if setup.kept and not await self._is_kept(person.id):
                raise KeepFirst("it is for kept accounts: keep yours first")
            if not setup.machines and await self._store.accounts.tokens.owner(person.id) is not None:
                raise EntryClosed("it is for people only: a bot plays where machines may")
            rating = await self._rating(person.id, setup.game, setup.least_games)
            number = len(state.entrants) + 1
            joined = EntrantJoined(number, rating)
            await self._save(state, [joined], now(), entrants=[EntrantRow(number, person.id, person.name)])
            return number

        return await self._retry(tournament, change)

    async def _is_kept(self, person: str) -> bool:
        """Whether a person has a kept account, or is the bot of one."""
        accounts = self._store.accounts
        return await accounts.account(person) is not None or await accounts.tokens.owner(person) is not None

    async def _change_entry(self, state: Tournament, entrant: Entrant, wanted: TournamentEntry) -> None:
        if entrant.state == "out":
            raise EntryClosed("you have withdrawn, were put out, or did not appear twice")
        changed = EntrantChanged(entrant.number, "paused" if wanted.paused else "in", wanted.weaker)
        if (entrant.state, entrant.weaker) != (changed.state, changed.weaker):
            await self._save(state, [changed], now())

    async def withdraw(self, tournament: str, person: str) -> None:
        """Withdraw a person for good; a game that they play goes on."""

        async def change(state: Tournament) -> None:
            number = await self.own(tournament, person)
            if number and state.entrants[number].state != "out" and state.ended is None:
                await self._save(state, [EntrantChanged(number, "out")], now())

        await self._retry(tournament, change)

    async def order(self, tournament: str, person: str, order: TournamentOrder) -> None:
        """Pause, resume or cancel, or put an entrant out, as its organiser; a game that runs continues."""
        if not await self.organises(tournament, person):
            raise NotYours("only the organiser may do this")

        async def change(state: Tournament) -> None:
            _check_open(state)
            if order.do == "cancel":
                await self._save(state, [TournamentEnded("cancelled")], now())
            elif order.do == "put_out":
                await self._put_out(state, order.number)
            elif state.paused != (order.do == "pause"):
                await self._save(state, [TournamentPaused(order.do == "pause")], now())

        await self._retry(tournament, change)

    async def _put_out(self, state: Tournament, number: int) -> None:
        if number not in state.entrants:
            raise NotFound("there is no entrant with this number")
        if state.entrants[number].state != "out":
            await self._save(state, [EntrantChanged(number, "out")], now())

    async def _rating(self, person: str, game: str, least_games: int) -> int:
        """The rating of a person who enters; raises `EntryClosed` if they have finished too few games."""
        if least_games:
            games = {each.game: each.games for each in await self._store.ladders.own_standings(person)}
            if games.get(game, 0) < least_games:
                raise EntryClosed(f"it is for people with {least_games} finished rated games")
        found = (await self._store.conduct.facts(person, game, now())).rating
        return START.points if found is None else Rating(found[1], found[2]).points

    async def _retry(self, tournament: str, change: Callable[[Tournament], Awaitable[T]]) -> T:
        """Run a change on the latest state, again if another server was first; one at a time here."""
        async with self._changing.setdefault(tournament, asyncio.Lock()):
            for _ in range(_RETRIES):
                with suppress(TournamentMoved):
                    return await change((await self.load(tournament)).copy())
                await asyncio.sleep(random.uniform(0, 0.05))
        raise TooMany("too many people enter at once: try again")

    async def _save(
        self,
        state: Tournament,
        facts: Sequence[AnyTournamentFact],
        at: int,
        *,
        listed: ListedTournament | None = None,
        entrants: Sequence[EntrantRow] = (),
        tables: Sequence[Append] = (),
        people: Sequence[str] = (),
    ) -> None:
        """Append facts to a tournament at its head, with everything that they make, in one transaction."""
        after = _after(state, () if listed else facts, at)
        places = after.places() if after.ended == "played" else {}
        title = listed or await self._rows.one(state.id)
        assert title is not None
        await self._rows.append(
            TournamentAppend(
                id=state.id,
                head=state.head,
                events=tuple(
                    TournamentEvent(state.head + i, at, encode_fact(fact)) for i, fact in enumerate(facts, 1)
                ),
                state=after.state,
                wake=_wake(after, at),
                about=_encode_about(_head(after, title._replace(organiser="", title=""))),  # of the row
                tables=tuple(tables),
                entrants=tuple(entrants),
                places=tuple((n, place, after.entrants[n].points) for n, place in places.items()),
                organiser=title.person,
                title=title.title,
                starts_at=title.starts_at,
                people=tuple(people),
                most_organised=MOST_ORGANISED if listed and listed.person else 0,
            )
        )
        self.bus.publish(topic_of(state.id), state.head + len(facts))

    # --- what is due ----------------------------------------------------------------------------------

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="tournaments")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._turns.close()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_CLAIM_S * random.uniform(0.8, 1.2))
            await asyncio.sleep(self.backoff.wait_s(_CLAIMING))
            with self.backoff.attempt(_CLAIMING):
                await self.run_due()

    async def run_due(self) -> None:
        """Do what is due in all tournaments, each in a separate task: a slow one delays no other."""
        is_more = True
        while is_more:
            due = await self._rows.claim_due(now(), _LEASE_MS, _CLAIMED)
            await self._turns.give(due, self.go_on, _TURN_S)
            is_more = len(due) == _CLAIMED

    async def go_on(self, tournament: str) -> None:
        """Do what is due in one tournament: note results, pair, and end it.

        Raises `TournamentMoved` if others are first again and again; its claim expires then.
        """
        moved = 0
        while True:
            state, at = (await self.load(tournament)).copy(), now()
            facts, tables, people = await self._due(state, at)
            if not facts:
                await self._rows.rearm(tournament, state.head, _wake(state, at))
                return
            try:
                await self._save(state, facts, at, tables=tables, people=people)
            except TournamentMoved:  # another request was first: look again
                moved += 1
                if moved == _MOVES:
                    raise
                await asyncio.sleep(random.uniform(0, 0.05))
                continue
            await asyncio.gather(*(self._tables.get(each.table) for each in tables if each.wake))
            if tables:
                self._log.info("tables paired", tournament=tournament, tables=len(tables), ms=now() - at)

    async def _due(self, state: Tournament, at: int) -> _Due:
        """The facts that are due, and the tables that they make."""
        game = registry.get(state.setup.game)
        if state.paused and state.ended is None and not await self._has_organiser(state):
            return _Due([TournamentPaused(False)])
        if state.state == "open" and at >= state.setup.starts_at and not state.paused:
            if len(state.playing) >= max(2, game.meta.least_seats):
                return _Due([TournamentBegun()])
            return _Due([TournamentEnded("too few")] if at >= state.setup.starts_at + PATIENCE_MS else [])
        if state.state != "running":
            return _Due([])
        if done := await self._results(state):
            return _Due(done)
        if _is_played(state, at):
            return _Due([TournamentEnded("played")])
        if state.paused or (state.ends_at and at >= state.ends_at):
            return _Due([])
        seed = secrets.randbits(32)
        games = next_games(state, game.meta.least_seats, seed, at)
        if not games.tables:
            is_over = state.setup.kind == "rounds" and not state.tables
            return _Due([TournamentEnded("played")] if is_over else [])
        names = await self.names(state.id)
        gone = [n for n, each in state.entrants.items() if each.state == "in" and not _is_here(names.get(n))]
        if gone:  # erased
            return _Due([EntrantChanged(number, "out") for number in gone])
        made = [self._make_table(state, seated, names) for seated in games.tables]
        paired = TablesPaired(seed, tuple(planned for planned, _ in made), games.byes)
        people = [names[n].person for planned, _ in made for n in planned.numbers if names[n].person]
        return _Due([paired], [append for _, append in made], people)

    async def _has_organiser(self, state: Tournament) -> bool:
        """Whether someone can end a pause: an organiser may have been erased."""
        listed = await self._rows.one(state.id)
        return listed is not None and bool(listed.person)

    def _make_table(
        self, state: Tournament, seated: SeatedEntrants, names: dict[int, EntrantRow]
    ) -> tuple[PlannedTable, Append]:
        setup, game = state.setup, registry.get(state.setup.game)
        rules, weaker = setup.rules, seated.weaker
        if weaker:
            handicap = game.handicap(game.rules.read(rules), 1 + seated.numbers.index(weaker))
            rules, weaker = (rules, 0) if handicap is None else (str(handicap), weaker)
        people = [_player(names[number]) for number in seated.numbers]
        new = paired_table(game.name, rules, setup.clock, people, SEATING_MS)
        notified = [
            each.person
            for each in (names[number] for number in seated.numbers)
            if each.person and (setup.kind != "arena" or not state.entrants[each.number].scores)
        ]
        return PlannedTable(new.id, seated.numbers, weaker), self._tables.to_append(new, notified)

    async def _results(self, state: Tournament) -> list[AnyTournamentFact]:
        """The games that are done, and entrants who have to pause or are withdrawn as they did not appear."""
        facts: list[AnyTournamentFact] = []
        absences: dict[int, int] = {}
        for table, phase, about, held in await self._store.tournaments.done_tables(list(state.tables)):
            planned = state.tables[table]
            played = _result(state, planned, about) if phase == "over" else _walkover(state, planned, held)
            facts.append(played)
            for number in played.absent if phase == "closed" else ():
                absences[number] = absences.get(number, state.entrants[number].absences) + 1
        for number, count in absences.items():
            if count >= MOST_ABSENCES:
                facts.append(EntrantChanged(number, "out", absent=True))
            elif state.setup.kind == "arena" and state.entrants[number].state == "in":
                facts.append(EntrantChanged(number, "paused"))
        return facts


# --- rules -----------------------------------------------------------------------------------------------


def _check(wanted: NewTournament) -> TournamentCreated:
    """The first fact of a tournament; raises if it cannot be played so."""
    game = registry.get(wanted.game)
    seats = wanted.seats if wanted.kind == "rounds" else 2
    check_seats(game, seats)
    if wanted.clock.kind != "decision":
        raise BadMessage("a tournament needs a clock of seconds")
    if unknown := set(wanted.machines) - {*bots_of(game.name)}:
        raise BadMessage(f"there is no machine {min(unknown)!r} for this game")
    if len(set(wanted.machines)) < len(wanted.machines):
        raise BadMessage("each machine plays once")
    clock = Clock("decision", wanted.clock.seconds, bank=wanted.clock.bank)
    return TournamentCreated(
        kind=wanted.kind,
        game=game.name,
        rules=str(game.rules.read(wanted.rules)),
        clock=clock,
        seats=seats,
        starts_at=now() + wanted.starts_in * MINUTE_MS,
        minutes=wanted.minutes if wanted.kind == "arena" else 0,
        rounds=wanted.rounds if wanted.kind == "rounds" else 0,
        machines=bool(wanted.machines),
        least_games=wanted.least_games,
        kept=wanted.kept,
    )


def _title(text: str) -> str:
    title = one_line(text).strip()
    if not title:
        raise BadMessage("the title is empty")
    return title


def _check_open(state: Tournament) -> None:
    if state.ended is not None:
        raise EntryClosed("it is over")


def _is_played(state: Tournament, at: int) -> bool:
    """Whether a running tournament is over."""
    setup = state.setup
    if setup.kind == "rounds":
        return not state.tables and state.round >= setup.rounds
    return at >= state.ends_at and (not state.tables or at >= state.ends_at + _LATE_MS)


def _wake(state: Tournament, at: int) -> int | None:
    """When a server has to look at it next."""
    if state.ended is not None:
        return None
    if state.state == "open" and not state.paused:
        return max(state.setup.starts_at, at + _TICK_MS)
    return at + (_PAUSED_TICK_MS if state.paused and not state.tables else _TICK_MS)


def _after(state: Tournament, facts: Sequence[AnyTournamentFact], at: int) -> Tournament:
    """A copy of the state after these facts."""
    copy = state.copy()
    for fact in facts:
        copy.apply(fact, at)
    return copy


def _result(state: Tournament, planned: PlannedTable, about: bytes) -> GamePlayed:
    """The result of a finished game; a player who left the seat to a machine gets nothing."""
    result = details_of(about).result
    if result is None:
        return GamePlayed(planned.table)
    replaced = {each.seat for each in result.replaced}
    absent = tuple(number for seat, number in enumerate(planned.numbers, 1) if seat in replaced)
    winner = planned.numbers[result.winner - 1] if result.winner else 0
    return GamePlayed(planned.table, 0 if winner in absent else winner, result.winner is None, absent)


def _walkover(state: Tournament, planned: PlannedTable, held: frozenset[int]) -> GamePlayed:
    """The result of a table that was closed: who came wins, or ties with the others who came."""
    absent = tuple(
        number
        for seat, number in enumerate(planned.numbers, 1)
        if seat not in held and not state.entrants[number].machine
    )
    came = [number for number in planned.numbers if number not in absent]
    winner = came[0] if len(came) == 1 else 0
    return GamePlayed(planned.table, winner, len(came) > 1, absent)


def _is_here(row: EntrantRow | None) -> bool:
    return row is not None and bool(row.person or row.machine)


def _player(row: EntrantRow) -> tuple[str, str]:
    return (row.person, row.name) if row.person else (f"{MACHINE_PREFIX}{row.machine}", row.machine)


def standing_row(state: Tournament, entrant: Entrant, names: dict[int, EntrantRow]) -> StandingRow:
    """An entrant as everyone sees them."""
    row = names.get(entrant.number)
    return StandingRow(
        number=entrant.number,
        name=row.name if row else "…",
        points=entrant.points,
        wins=entrant.wins,
        rating=entrant.rating,
        strength=state.strength(entrant),
        machine=bool(entrant.machine),
        state=entrant.state,
        weaker=entrant.weaker,
        streak=entrant.streak,
        scores=tuple(entrant.scores[-12:]),
        tables=tuple(entrant.tables),
        seats=tuple(1 + state.tables[table].numbers.index(entrant.number) for table in entrant.tables),
    )


def _head(state: Tournament, listed: ListedTournament) -> TournamentHead:
    setup, game = state.setup, registry.get(state.setup.game)
    may_take = setup.kind == "arena" and game.handicap(game.rules.read(setup.rules), 1) is not None
    return TournamentHead(
        tournament=state.id,
        v=state.head,
        title=listed.title,
        organiser=listed.organiser,
        kind=setup.kind,
        state=state.state,
        game=setup.game,
        rules=setup.rules,
        clock=setup.clock,
        seats=setup.seats,
        starts_at=setup.starts_at,
        ends_at=state.ends_at,
        rounds=setup.rounds,
        round=state.round,
        paused=state.paused,
        machines=setup.machines,
        least_games=setup.least_games,
        kept=setup.kept,
        weaker=may_take,
        why=state.ended or "",
        entrants=len(state.entrants),
        tables=len(state.tables),
    )


def _listed_head(listed: ListedTournament) -> TournamentHead:
    """The head that was saved with the last facts; title and organiser as they are now."""
    head = _decode_about(listed.about)
    return msgspec.structs.replace(head, v=listed.head, title=listed.title, organiser=listed.organiser)
