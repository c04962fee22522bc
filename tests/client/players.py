"""A player that uses the client: takes a seat, and picks until the game is over."""

from __future__ import annotations

from pathlib import Path

from facedown.client import BlockingTable, RestClient, SeatKey
from tests.patience import PATIENCE


def take_seat(
    server: RestClient, table: str, seat: int, code: str = "", memory: Path | None = None
) -> BlockingTable:
    """A seat at a table, connected."""
    entropy, commit = SeatKey.promise(table, seat)
    key = SeatKey(server.address, table, seat, server.join(table, seat, commit, code).token, entropy)
    remote = BlockingTable(server, table, key, memory)
    remote.open(PATIENCE)
    return remote


def signed_in(address: str, name: str) -> RestClient:
    server = RestClient(address, timeout=PATIENCE)
    server.sign_in(name)
    return server


def pick_when_due(table: BlockingTable, place: int = 0) -> bool:
    """Wait for one's turn and pick; whether there was one before the end."""
    table.wait_for(lambda: table.mirror.may_pick or table.mirror.info.state == "over", PATIENCE)
    if table.mirror.info.state == "over":
        return False
    table.seal(table.mirror.legal[place % len(table.mirror.legal)])
    return True
