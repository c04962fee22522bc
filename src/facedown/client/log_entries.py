"""The entries of a server's public log, counted: games that were never finished, and games with two ends."""

from __future__ import annotations

from functools import reduce
from typing import Final

from msgspec import Struct, field

from facedown.core.errors import Unreadable
from facedown.core.links import read_leaf_of_log
from facedown.core.merkle import EMPTY_ROOT, leaf_hash, node_hash
from facedown.proof.log import NotInLog

DAY_S: Final = 24 * 3600
OLD_DAYS: Final = 30
"""A table that has no end after this many days is unfinished."""


class EntryCount(Struct):
    """What the entries up to `size` add up to."""

    size: int = 0
    subtrees: list[str] = field(default_factory=list)
    """The hashes of the full subtrees that they make up, the largest first."""
    tables: dict[str, int] = field(default_factory=dict)
    """The tables without an end, by the hash of their id: the numbers of their entries."""
    sizes: list[tuple[int, int]] = field(default_factory=list)
    """When there were how many entries, once a day: the entries themselves have no time."""

    def add(self, entry: bytes) -> None:
        """The next entry; raises `NotInLog` if it cannot be one."""
        try:
            kind, table = read_leaf_of_log(entry)
        except Unreadable as error:
            raise NotInLog(f"entry {self.size}: {error.message}") from None
        if kind == "table" and self.tables.setdefault(table.hex(), self.size) != self.size:
            raise NotInLog(f"entry {self.size}: a second beginning of a table")
        if kind in ("record", "closed") and self.tables.pop(table.hex(), None) is None:
            raise NotInLog(f"entry {self.size}: a second end of a table")
        found, size = leaf_hash(entry), self.size
        while size & 1:
            found, size = node_hash(bytes.fromhex(self.subtrees.pop()), found), size >> 1
        self.subtrees.append(found.hex())
        self.size += 1

    @property
    def root(self) -> bytes:
        """The root of the tree of these entries."""
        hashes = [bytes.fromhex(each) for each in reversed(self.subtrees)]
        return reduce(lambda right, left: node_hash(left, right), hashes) if hashes else EMPTY_ROOT

    def note_time(self, at: int) -> None:
        """Note how many entries there are now, in seconds since 1970."""
        if not self.sizes or at - self.sizes[-1][0] >= DAY_S:
            self.sizes.append((at, self.size))
        while len(self.sizes) > 1 and self.sizes[1][0] <= at - OLD_DAYS * DAY_S:
            del self.sizes[0]

    def unfinished(self, at: int) -> int:
        """How many tables have no end, though their entry is known to be older than 30 days."""
        before = max((size for then, size in self.sizes if then <= at - OLD_DAYS * DAY_S), default=0)
        return sum(1 for number in self.tables.values() if number < before)
