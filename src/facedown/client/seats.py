"""Taking a free seat at a table on a server, with the commitment to what the seat contributes to the deal."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.client.connection import SeatKey
from facedown.client.rest import RestClient
from facedown.core.errors import FacedownError
from facedown.core.seats import Seat
from facedown.protocol.messages import SeatInfo
from facedown.protocol.rest import ListedSeat


class NoFreeSeat(FacedownError):
    """A seat that was asked for, or every seat of a table, is taken."""

    code = "no_free_seat"

    def __init__(self, free: Sequence[Seat]) -> None:
        super().__init__("this seat is taken" if free else "all seats of this table are taken")
        self.free = tuple(free)


def take_seat(
    server: RestClient, table: str, seats: Sequence[SeatInfo | ListedSeat], asked: Seat | None, code: str
) -> SeatKey:
    """Take a free seat, the first one where none is asked for; raises `NoFreeSeat`."""
    free = [each.seat for each in seats if each.kind == "person" and not each.name]
    if not free or (asked is not None and asked not in free):
        raise NoFreeSeat(free)
    seat = free[0] if asked is None else asked
    entropy, commit = SeatKey.promise(table, seat)
    return SeatKey(server.address, table, seat, server.join(table, seat, commit, code).token, entropy)
