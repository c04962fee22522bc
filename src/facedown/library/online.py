"""A seat at a table on a server, for programs: blocking calls with `with`, coroutines with `async with`.

Knows the client; what a table shows are the game's own views, as in a local match.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, NamedTuple

from facedown.client import Address, RemoteTable, RestClient, SeatKey, ServerRefused
from facedown.client.decode import read_view
from facedown.client.seats import take_seat
from facedown.core import registry
from facedown.core.chance import Stream
from facedown.core.errors import NotNow
from facedown.core.game import AnyGame
from facedown.core.outcome import Outcome
from facedown.core.parts.bot import AnyBot, bot_stream
from facedown.core.record import Record
from facedown.core.seats import Seat
from facedown.library.arguments import BadArgument
from facedown.library.bot_specs import BotLike, read_bot
from facedown.library.catalogue import GameLike, RulesLike, read_rules
from facedown.library.catalogue import game as find_game
from facedown.protocol.rest import CreatedTable, MachineSeat, PersonSeat, TableOrder
from facedown.sim.lineup import BotFault

_OVER: Final = ("over", "closed")
_LOOK: Final = 1.0
"""Seconds after which a waiting program looks again, whatever it was told."""


class Turn(NamedTuple):
    """A decision that this seat has to make: what it sees, and what it may pick."""

    view: Any
    legal: tuple[str, ...]
    decision: int


@dataclass(frozen=True, slots=True)
class TableRequest:
    """What `connect` was asked for: a table that exists, or a new one, and who takes the seat."""

    address: str
    name: str
    seat: Seat | None
    session: str
    game: AnyGame | None
    rules: str
    opponents: tuple[str, ...] | None
    watch: bool

    def opened(self) -> tuple[RestClient, RemoteTable, str]:
        """Sign in, take the seat and connect: the server, the table, and the invitation for others."""
        address = Address.read(self.address)
        server = RestClient(address.server, self.session)
        if not (server.token and server.is_known()):
            server.token = ""
            if not self.watch:
                server.sign_in(self.name)
        elif self.name:
            server.rename(self.name)
        key: SeatKey | None
        if self.game is not None:
            made = self._created(server, self.game)
            key = take_seat(server, made.table, made.seats, self.seat, "")
            return server, _connected(server, made.table, key), f"{server.address}/i/{made.invite}"
        if not address.name:
            say = "name the `game` to play, or give the address of a table or an invitation"
            raise BadArgument(say, text=self.address)
        table = address.name if address.is_table else server.invited(address.name).table
        key = None if self.watch else self._joined(server, address, table)
        return server, _connected(server, table, key), ""

    def _created(self, server: RestClient, game: AnyGame) -> CreatedTable:
        opponents = self.opponents
        if opponents is None:
            usual = next(each.usual_machine for each in server.games() if each.name == game.name)
            opponents = (usual,) * (game.meta.least_seats - 1)
        mine = 1 if self.seat is None else self.seat
        seats: list[PersonSeat | MachineSeat] = [
            PersonSeat() if bot == "" else MachineSeat(bot) for bot in opponents
        ]
        seats.insert(mine - 1, PersonSeat())
        return server.make(TableOrder(game.name, tuple(seats), self.rules))

    def _joined(self, server: RestClient, address: Address, table: str) -> SeatKey:
        """The seat that this session has at the table already, or a free one."""
        try:
            resumed = server.resume(table, self.seat)
        except ServerRefused:
            code = "" if address.is_table else address.name
            seats = server.table(table).table.seats if address.is_table else server.invited(code).seats
            return take_seat(server, table, seats, self.seat, code)
        return SeatKey(server.address, table, resumed.seat, resumed.token, "")


def _connected(server: RestClient, table: str, key: SeatKey | None) -> RemoteTable:
    remote = RemoteTable(server.address, table, key)
    remote.open()
    return remote


class ServerTable:
    """A table on a server, from one seat: reconnects by itself, loses no pick and sends none twice."""

    def __init__(self, request: TableRequest) -> None:
        self._server, self._remote, self.invitation = request.opened()
        self.game = registry.get(self._remote.info.game)
        self.rules = self.game.rules.read(self._remote.info.rules)

    # --- what is known -------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The id of the table, which is also that of its game."""
        return self._remote.id

    @property
    def address(self) -> str:
        """The address of the table, for browsers and for `connect`."""
        return f"{self._server.address}/t/{self.id}"

    @property
    def seat(self) -> Seat:
        """This program's seat; 0 for a spectator."""
        return self._remote.seat

    @property
    def session(self) -> str:
        """The secret token of this program's session: with it, `connect` finds the same seat again."""
        return self._server.token

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits on the seats; empty where a seat is free."""
        return tuple(seat.name for seat in self._remote.info.seats)

    @property
    def view(self) -> Any:
        """What this seat sees, as the game's own view; None before the deal."""
        view = self._remote.view
        return None if view is None else read_view(self.game, view)

    @property
    def legal(self) -> tuple[str, ...]:
        """What this seat may pick now; empty where it has nothing to decide, or has sealed."""
        return self._remote.legal if self._remote.may_pick else ()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while the game is in progress."""
        view = self.view
        return None if view is None else view.outcome

    # --- playing -------------------------------------------------------------------------------------

    def seal(self, pick: str) -> None:
        """Place a pick face down: returns once the server has it on its disk. Raises `ServerRefused`."""
        self._remote.pick(pick)

    def resign(self) -> None:
        """Give up."""
        self._remote.resign()

    def say(self, text: str) -> None:
        """Send a chat message to the other seats."""
        self._remote.say(text)

    def leave(self) -> None:
        """Leave the seat; during a game a machine may take it over."""
        self._remote.leave()

    def turns(self) -> Iterator[Turn]:
        """Each decision of this seat as it comes, until the game is over; seal a pick for each."""
        done = 0
        while True:
            turn = self._next_turn(done)
            if turn is None:
                if self._is_over():
                    return
                self._remote.wait(_LOOK)
            else:
                done = turn.decision
                yield turn

    def play(self, bot: BotLike) -> Outcome | None:
        """Let a bot play this seat to the end of the game; None where the table was closed before."""
        player = _Player(self.game, bot)
        for turn in self.turns():
            self.seal(player.pick(turn, self.seat))
        return self.outcome

    def record(self) -> Record:
        """The record of the game: complete once it is over."""
        return self._server.record(self.id)

    def close(self) -> None:
        """Close the connection; the seat is kept for this session."""
        self._remote.close()

    def _next_turn(self, done: int) -> Turn | None:
        remote = self._remote
        if not remote.may_pick or remote.decision == done or remote.placed is not None:
            return None
        return Turn(self.view, self.legal, remote.decision)

    def _is_over(self) -> bool:
        """Whether the game is over or the table closed; raises where the connection is lost for good."""
        if self._remote.failure:
            raise NotNow(self._remote.failure)
        return self._remote.info.state in _OVER

    def __repr__(self) -> str:
        return f"facedown.connect({self.address!r}, seat={self.seat})"


class AsyncServerTable:
    """The same table for coroutines: what waits is awaited, all else is read as it is."""

    def __init__(self, table: ServerTable) -> None:
        self._table = table
        self._changed = asyncio.Event()
        loop = asyncio.get_running_loop()

        def changed() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._changed.set)

        table._remote.listen(changed)

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self._table.game

    @property
    def address(self) -> str:
        """The address of the table, for browsers and for `connect`."""
        return self._table.address

    @property
    def invitation(self) -> str:
        """The address by which others join; empty where this program did not create the table."""
        return self._table.invitation

    @property
    def session(self) -> str:
        """The secret token of this program's session: with it, `connect` finds the same seat again."""
        return self._table.session

    @property
    def seat(self) -> Seat:
        """This program's seat; 0 for a spectator."""
        return self._table.seat

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits on the seats; empty where a seat is free."""
        return self._table.names

    @property
    def view(self) -> Any:
        """What this seat sees, as the game's own view; None before the deal."""
        return self._table.view

    @property
    def legal(self) -> tuple[str, ...]:
        """What this seat may pick now."""
        return self._table.legal

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while the game is in progress."""
        return self._table.outcome

    async def seal(self, pick: str) -> None:
        """Place a pick face down."""
        await asyncio.to_thread(self._table.seal, pick)

    async def resign(self) -> None:
        """Give up."""
        await asyncio.to_thread(self._table.resign)

    async def say(self, text: str) -> None:
        """Send a chat message to the other seats."""
        await asyncio.to_thread(self._table.say, text)

    async def leave(self) -> None:
        """Leave the seat."""
        await asyncio.to_thread(self._table.leave)

    async def turns(self) -> AsyncIterator[Turn]:
        """Each decision of this seat as it comes, until the game is over."""
        done = 0
        while True:
            self._changed.clear()
            turn = self._table._next_turn(done)
            if turn is None:
                if self._table._is_over():
                    return
                await self._changed.wait()
            else:
                done = turn.decision
                yield turn

    async def play(self, bot: BotLike) -> Outcome | None:
        """Let a bot play this seat to the end of the game; it thinks in a thread of its own."""
        player = _Player(self.game, bot)
        async for turn in self.turns():
            await self.seal(await asyncio.to_thread(player.pick, turn, self.seat))
        return self.outcome

    async def record(self) -> Record:
        """The record of the game: complete once it is over."""
        return await asyncio.to_thread(self._table.record)

    async def close(self) -> None:
        """Close the connection; the seat is kept for this session."""
        await asyncio.to_thread(self._table.close)

    def __repr__(self) -> str:
        return repr(self._table)


class _Player:
    """A bot on a seat of a server: its own random stream, and its faults in words."""

    def __init__(self, game: AnyGame, bot: BotLike) -> None:
        self.name, make = read_bot(game, bot)
        self.bot: AnyBot = make(None)
        self.key = secrets.token_bytes(32)
        self.stream: Stream | None = None

    def pick(self, turn: Turn, seat: Seat) -> str:
        self.stream = self.stream or bot_stream(self.key, seat)
        try:
            pick = self.bot.pick(turn.view, turn.legal, self.stream)
        except Exception as error:  # a stranger's bot may raise anything
            fault = BotFault(f"{self.name} failed: {type(error).__name__}: {error}")
            raise fault.at(decision=turn.decision, seat=seat) from error
        if pick not in turn.legal:
            fault = BotFault(f"{self.name} picked {pick!r}, which is not one of {', '.join(turn.legal)}")
            raise fault.at(decision=turn.decision, seat=seat)
        return pick


class Connector:
    """A table that is about to be joined: `with` waits for it, `async with` awaits it."""

    def __init__(self, request: TableRequest) -> None:
        self._request = request
        self._close: Callable[[], None] = lambda: None

    def __enter__(self) -> ServerTable:
        table = ServerTable(self._request)
        self._close = table.close
        return table

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    async def __aenter__(self) -> AsyncServerTable:
        table = await asyncio.to_thread(ServerTable, self._request)
        self._close = table.close
        return AsyncServerTable(table)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self._close)

    def __repr__(self) -> str:
        return f"facedown.connect({self._request.address!r})"


def request(
    address: object,
    name: str,
    seat: Seat | None,
    session: str,
    game: GameLike | None,
    rules: RulesLike,
    opponents: Sequence[str] | None,
    watch: bool,
) -> TableRequest:
    """What `connect` was asked for, checked as far as that goes without the server."""
    if not isinstance(address, str):
        raise BadArgument(f"{address!r:.60} is no address of a server", text=f"{address!r:.60}")
    Address.read(address)
    found = None if game is None else find_game(game)
    if found is not None and watch:
        raise BadArgument("a new table cannot be watched: give the address of one", text=address)
    if isinstance(opponents, str):
        opponents = (opponents,)
    return TableRequest(
        address=address,
        name=name,
        seat=seat,
        session=session,
        game=found,
        rules="" if found is None else str(read_rules(found, rules)),
        opponents=None if opponents is None else tuple(opponents),
        watch=watch,
    )
