"""`connect`: a seat at a table on a server; needs the extra `client`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from facedown.core.errors import missing_extra
from facedown.core.seats import Seat
from facedown.library.arguments import BadArgument
from facedown.library.catalogue import GameLike, RulesLike, read_rules
from facedown.library.catalogue import game as find_game

if TYPE_CHECKING:
    from facedown.library.online import Connector


def connect(
    address: str,
    *,
    name: str = "",
    seat: Seat | None = None,
    session: str = "",
    game: GameLike | None = None,
    rules: RulesLike = "",
    opponents: Sequence[str] | None = None,
    watch: bool = False,
) -> Connector:
    """A seat at a table on a server: `with facedown.connect(…) as table`, or `async with`.

    `address` is an invitation or a table, as people send it; the program takes the first free seat, or
    `seat`. With the address of a server alone, and a `game`, it creates a table: `opponents` are the machines
    of the other seats, and `""` is a seat for a person who gets the table's `invitation`.

    `name` is what others see. `session`, a secret that an earlier table had as its own, finds the same seat
    again after a restart. `watch=True` takes no seat. Needs the extra `client`.

    >>> import facedown
    >>> def play_first(address):
    ...     with facedown.connect(address, name="Mine", game="ecard") as table:
    ...         for view, legal, decision in table.turns():
    ...             table.seal(legal[0])
    ...         return table.record()
    >>> facedown.save(play_first("http://127.0.0.1:8765"), "game.json")  # doctest: +SKIP
    """
    if find_spec("msgspec") is None or find_spec("websockets") is None:
        raise missing_extra("playing on a server needs", "client")
    from facedown.client.rest import Address
    from facedown.library.online import Connector

    if not isinstance(address, str):
        raise BadArgument(f"{address!r:.60} is no address of a server", text=f"{address!r:.60}")
    Address.read(address)
    found = None if game is None else find_game(game)
    if found is not None and watch:
        raise BadArgument("a new table cannot be watched: give the address of one", text=address)
    if opponents is not None:
        opponents = (opponents,) if isinstance(opponents, str) else tuple(opponents)
    written = "" if found is None else str(read_rules(found, rules))
    return Connector(address, name, seat, session, found, written, opponents, watch)
