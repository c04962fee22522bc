"""Finished games as one compressed row each: packing their events, and reading them back.

Packing moves the events of a game from `events` to one row of `packed_games`, byte for byte. Names and
messages stay in `texts`, where they can be erased. Later events, such as chat, are rows behind them.
"""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from facedown.core.errors import FacedownError
from facedown.server.store.tickets import Steps
from facedown.server.store.values import EventRow, PersonalText, Run

_LEVEL: Final = 9
_COLUMNS: Final = "v, kind, at, public, secret, seat, command, spent, digest"
_EVENTS: Final = f"select {_COLUMNS} from events where table_no = $1 order by v"
_INSERT: Final = "insert into packed_games (table_no, head, body) values ($1, $2, $3)"
_DELETE: Final = "delete from events where table_no = $1 and v <= $2"
_BODY: Final = """select body from packed_games
    where table_no = (select no from tables where id = $1) and head > $2"""

_Fields: TypeAlias = tuple[int, str, int, bytes, bytes, int, str, int, bytes]
"""The fields of an `EventRow` without its texts."""


class DamagedGame(FacedownError):
    """The packed events of a game cannot be read: an operator has to restore a backup."""

    code = "damaged_game"
    status: ClassVar[int] = 500


class PackDialect(NamedTuple):
    """The statements that differ between the databases."""

    unpacked: str
    """The numbers of finished games that ended until $1 and are not packed, oldest first, at most $2."""
    mark: str
    """Marks the game of table number $1, so that it is not looked at again."""
    texts: str
    """Event, slot, person and text of the texts of table $1 after event $2, in order."""


class PackedGames:
    """The packed games of one store."""

    def __init__(
        self,
        select: Run,
        run: Callable[[Callable[[], Steps[int]]], Awaitable[int]],
        dialect: PackDialect,
    ) -> None:
        self._select = select
        self._run = run
        self._dialect = dialect

    async def pack(self, before: int, limit: int) -> int:
        """Pack the oldest games that ended until then, in one transaction, one server at a time; returns how
        many games it looked at: 0 if none was left."""
        return await self._run(lambda: _pack(self._dialect, before, limit))

    async def complete(self, table: str, after: int, rows: list[EventRow]) -> list[EventRow]:
        """All events later than `after`, from those that are rows.

        The rows have to be read first: an event that is missing there was packed before.
        """
        if rows and rows[0].v == after + 1:
            return rows
        found = await self._select(_BODY, table, after)
        if not found:
            return rows
        packed = [row for row in unpacked_events(found[0][0]) if row.v > after]
        texts = await self._select(self._dialect.texts, table, after)
        later = [row for row in rows if row.v > packed[-1].v]
        return [*with_texts(packed, texts), *later]


def _pack(dialect: PackDialect, before: int, limit: int) -> Steps[int]:
    numbers = [number for (number,) in (yield dialect.unpacked, (before, limit))]
    for number in numbers:
        rows = [tuple(row) for row in (yield _EVENTS, (number,))]
        if [row[0] for row in rows] == [*range(1, len(rows) + 1)]:  # else `store check` reports it
            yield _INSERT, (number, len(rows), packed_events(rows))
            yield _DELETE, (number, len(rows))
        yield dialect.mark, (number,)
    return len(numbers)


def packed_events(rows: Sequence[tuple[Any, ...]]) -> bytes:
    """The events of a game in one piece.

    >>> [row.kind for row in unpacked_events(packed_events([(1, "dealt", 5, b"{}", b"", 0, "", 0, b"")]))]
    ['dealt']
    """
    from msgspec import msgpack  # `backup` and `store check` need no extra, and import this module

    return zlib.compress(msgpack.encode(rows), _LEVEL)


def unpacked_events(body: bytes) -> list[EventRow]:
    """The events of a packed game, without their texts; raises `DamagedGame`."""
    from msgspec import MsgspecError, msgpack

    try:
        return [EventRow(*fields) for fields in msgpack.decode(zlib.decompress(body), type=list[_Fields])]
    except (zlib.error, MsgspecError) as error:
        raise DamagedGame("the events of this game are damaged: restore a backup") from error


def pack_problem(table: str, head: int, packed: int, body: bytes) -> str:
    """What is wrong with the packed game of a table; empty if it is intact."""
    try:
        found = [row.v for row in unpacked_events(body)]
    except DamagedGame:
        return f"the packed events of table {table} cannot be read"
    if found != [*range(1, packed + 1)] or packed > head:
        return f"table {table} is at {head}, and its packed events are not those from 1 to {packed}"
    return ""


def gap_problem(table: str, head: int, count: int, first: int, last: int, packed: int) -> str:
    """What is wrong with a table whose events, packed ones included, are not those from 1 to its head."""
    beside = f" besides {packed} packed ones" if packed else ""
    return f"table {table} is at {head}, but has {count} events{beside}, from {first} to {last}"


def with_texts(rows: list[EventRow], found: Iterable[Sequence[Any]]) -> list[EventRow]:
    """Events with their personal texts, found as event, slot, person and text."""
    texts: dict[int, list[PersonalText]] = {}
    for v, *fields in found:
        texts.setdefault(v, []).append(PersonalText(*fields))
    return [row._replace(texts=tuple(texts[row.v])) if row.v in texts else row for row in rows]
