"""The room: who is counted as here, over several servers; when people play."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from facedown.protocol.rest import PersonSeat, TableOrder
from facedown.server.clock import DAY_MS, HOUR_MS
from facedown.server.pairing import Pairing
from facedown.server.room import Room, busy_hours
from facedown.server.services import Services, open_services
from facedown.server.settings import Settings
from facedown.server.store.failures import StoreFailed
from facedown.server.table.presence import Update


class Connection:
    """A listener that keeps nothing."""

    def __init__(self, person: str, viewer: int = 0) -> None:
        self.person = person
        self.viewer = viewer

    def notify(self, update: Update) -> None:
        pass

    def disconnect(self, error: StoreFailed) -> None:
        pass


def in_a_room(tmp_path: Path, test: Callable[[Services, Room], Awaitable[None]]) -> None:
    async def main() -> None:
        services = open_services(Settings(data=tmp_path / "data"))
        await services.start()
        room = Room(services.store, services.tables, Pairing(services.store, services.tables), pairs=True)
        room.start()
        try:
            await test(services, room)
        finally:
            await services.close()

    asyncio.run(main())


def test_people_count_once_while_they_are_connected_and_never_for_themselves(tmp_path: Path) -> None:
    async def test(services: Services, room: Room) -> None:
        ann, _ = await services.people.guest("Ann", "program")
        order = TableOrder(game="ecard", rules="classic", seats=(PersonSeat(), PersonSeat()))
        tables = [await services.tables.create(order, ann.id) for _ in range(2)]
        assert (await room.info()).here == 0
        one, other, watching = Connection(ann.id), Connection(ann.id), Connection("bo")
        for table, connection in zip((*tables, tables[0]), (one, other, watching), strict=True):
            table.attach(connection)
        tables[1].attach(Connection(""))  # no session: a page that anyone may have opened
        assert ((await room.info()).here, (await room.info(ann.id)).here) == (2, 1)
        tables[0].detach(one)
        tables[1].detach(other)
        assert (await room.info()).here == 1

    in_a_room(tmp_path, test)


def test_servers_add_up_what_each_of_them_counts(tmp_path: Path) -> None:
    async def test(services: Services, room: Room) -> None:
        bus = services.tables.bus
        for number, node in ((3, "b"), (4, "c"), (2, "b"), (9, bus.node)):
            bus._notify("room", number, node)
        assert (await room.info()).here == 6

    in_a_room(tmp_path, test)


def test_hours_are_named_only_if_they_stand_out_on_several_days() -> None:
    evenings = [day * DAY_MS + hour * HOUR_MS for day in range(8) for hour in (23, 23, 0, 0, 12)]
    found = busy_hours(evenings)
    assert found is not None
    assert (found.first, found.last) == (23, 1)
    assert busy_hours([at % DAY_MS for at in evenings]) is None, "one day says nothing"
    assert busy_hours([day * DAY_MS + hour * HOUR_MS for day in range(5) for hour in range(24)]) is None
    assert busy_hours(evenings[:25]) is None
