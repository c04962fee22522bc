"""Seats at tables on a server: their credentials, and taking a free one."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from facedown.client.rest import RestClient
from facedown.core.chance import entropy_commitment
from facedown.core.errors import FacedownError
from facedown.core.seats import Seat
from facedown.protocol.messages import SeatInfo
from facedown.protocol.rest import ListedSeat


@dataclass(frozen=True, slots=True)
class SeatKey:
    """Credentials of a seat, to be kept: its token, and the entropy that it contributes to the deal."""

    server: str
    table: str
    seat: int
    token: str
    entropy: str

    @staticmethod
    def promise(table: str, seat: int) -> tuple[str, str]:
        """Fresh entropy for the deal, and the commitment to it that joining sends."""
        entropy = secrets.token_bytes(32)
        return entropy.hex(), entropy_commitment(table, seat, entropy).hex()


class NoFreeSeat(FacedownError):
    """The wanted seat, or every seat of a table, is taken."""

    code = "no_free_seat"

    def __init__(self, free: Sequence[Seat]) -> None:
        super().__init__("this seat is taken" if free else "all seats of this table are taken")
        self.free = tuple(free)


def take_seat(
    server: RestClient, table: str, seats: Sequence[SeatInfo | ListedSeat], asked: Seat | None, code: str
) -> SeatKey:
    """Take a free seat, without `asked` the first one; raises `NoFreeSeat`."""
    free = [each.seat for each in seats if each.kind == "person" and not each.name]
    if not free or (asked is not None and asked not in free):
        raise NoFreeSeat(free)
    seat = free[0] if asked is None else asked
    entropy, commit = SeatKey.promise(table, seat)
    return SeatKey(server.address, table, seat, server.join(table, seat, commit, code).token, entropy)
