"""What `connect` does: signs in, takes or creates a seat at a table on a server, and opens the table."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from facedown.client import Address, BlockingTable, RestClient, SeatKey, ServerRefused, ServerTable
from facedown.client.rest import take_seat
from facedown.core.game import AnyGame
from facedown.core.seats import Seat
from facedown.library.arguments import BadArgument
from facedown.protocol.rest import CreatedTable, MachineSeat, PersonSeat, TableOrder


@dataclass(repr=False)
class Connector:
    """A seat to be taken at an existing table or a new one: `with` waits for it, `async with` awaits it."""

    address: str
    """The server, the table or the invitation."""
    name: str
    """What others see; empty: as the server calls guests."""
    seat: Seat | None
    """The seat to take; None: the first free one."""
    session: str
    """The secret of an earlier table's session; empty for a new one."""
    game: AnyGame | None
    """The game of a table to create; None for an existing one."""
    rules: str
    """Its rules, as text."""
    opponents: tuple[str, ...] | None
    """The machines of its other seats, empty for a person; None: the server's usual one."""
    watch: bool
    """Whether to watch, without a seat."""
    _blocking: BlockingTable | None = None
    _table: ServerTable | None = None

    def __enter__(self) -> BlockingTable:
        server, table, key, invitation = self._take_seat()
        self._blocking = BlockingTable(server, table, key, invitation=invitation)
        self._blocking.open()
        return self._blocking

    def __exit__(self, *error: object) -> None:
        if self._blocking is not None:
            self._blocking.close()

    async def __aenter__(self) -> ServerTable:
        server, table, key, invitation = await asyncio.to_thread(self._take_seat)
        self._table = ServerTable(server, table, key, invitation=invitation)
        await self._table.open()
        return self._table

    async def __aexit__(self, *error: object) -> None:
        if self._table is not None:
            await self._table.close()

    def __repr__(self) -> str:
        return f"facedown.connect({self.address!r})"

    def _take_seat(self) -> tuple[RestClient, str, SeatKey | None, str]:
        """Sign in and take the seat: the server, the table, the seat's key, and the invitation for others."""
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
            created = self._create(server, self.game)
            key = take_seat(server, created.table, created.seats, self.seat, "")
            return server, created.table, key, f"{server.address}/i/{created.invite}"
        if not address.name:
            missing = "name the `game` to play, or give the address of a table or an invitation"
            raise BadArgument(missing, text=self.address)
        table = address.name if address.is_table else server.invited(address.name).table
        key = None if self.watch else self._join(server, address, table)
        return server, table, key, ""

    def _create(self, server: RestClient, game: AnyGame) -> CreatedTable:
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

    def _join(self, server: RestClient, address: Address, table: str) -> SeatKey:
        """The seat that this session has at the table already, or a free one."""
        try:
            resumed = server.resume(table, self.seat)
        except ServerRefused:
            code = "" if address.is_table else address.name
            seats = server.table(table).table.seats if address.is_table else server.invited(code).seats
            return take_seat(server, table, seats, self.seat, code)
        return SeatKey(server.address, table, resumed.seat, resumed.token, "")
