"""The public log of this server: checkpoints, proofs, tiles and entries for all, and finished records.

Tiles and bundles of entries are those of C2SP (tlog-tiles). Entries are saved with the facts they belong to
and numbered within about a second. All servers of a store show the same log, and sign a checkpoint alike.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import ClassVar, Final

from facedown.core.errors import FacedownError, Unsupported
from facedown.core.links import NO_KEY, leaf_of_log
from facedown.core.merkle import Span, Subtree, consistency_path, inclusion_path, leaf_hash
from facedown.core.seats import Seat
from facedown.proof.log import LogProof
from facedown.server.signing import Signing
from facedown.server.store.base import Store
from facedown.server.table.table import Table

_WIDTH: Final = 256
"""The hashes of a full tile, and the entries of a full bundle."""
_HEIGHT: Final = 8
_LEVEL: Final = re.compile(r"entries|[0-9]|[1-5][0-9]|6[0-3]")
_PLACE: Final = re.compile(r"((?:x[0-9]{3}/){0,4})([0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")
_NUMBERED: Final = 1000
_TRIES: Final = 40
_AGAIN_S: Final = 0.05
_MOST_KEPT: Final = 4


class UnknownEntry(FacedownError):
    """The log has no such entry, or has not numbered it yet."""

    code = "unknown_entry"
    status: ClassVar[int] = 404


class PublicLog:
    """Proves what the log of a store holds."""

    def __init__(self, store: Store, signing: Signing) -> None:
        self._store = store
        self._signing = signing
        self._signed: tuple[int, str, str] | None = None
        """The last checkpoint: its size, its key and the signed note."""

    async def checkpoint(self) -> str:
        """The newest signed checkpoint."""
        key = self._signing.key
        if key == NO_KEY:
            raise Unsupported("this server cannot sign: the library for it is not installed")
        size = await self._store.log_size()
        if self._signed is None or self._signed[:2] != (size, key):
            (root,) = await self._hashes([Span(0, size)])
            self._signed = size, key, self._signing.sign_checkpoint(size, root)
        return self._signed[2]

    async def proof(self, leaf: bytes) -> LogProof:
        """The proof that the entry with this leaf hash is in the log."""
        note = await self.checkpoint()
        size = int(note.split("\n")[1])
        index = await self._store.log_index(leaf)
        if index is None or index >= size:
            raise UnknownEntry("the log has no such entry, or not yet: ask again in a second")
        return LogProof(index, tuple(await self._hashes(inclusion_path(index, size))), note)

    async def proofs_of(self, table: Table) -> dict[str, str] | None:
        """The proofs of a table and of its end for the record; None if this server cannot sign."""
        if self._signing.key == NO_KEY:
            return None
        first, last = table.outer_heads
        heads = {"table": first, "record": last}
        return {
            kind: str(await self._proof_soon(leaf_hash(leaf_of_log(kind, table.id, head))))
            for kind, head in heads.items()
        }

    async def _proof_soon(self, leaf: bytes) -> LogProof:
        """The proof of an entry that was saved a moment ago."""
        for _ in range(_TRIES):
            try:
                return await self.proof(leaf)
            except UnknownEntry:
                if not await self._store.number_log_entries(_NUMBERED):
                    await asyncio.sleep(_AGAIN_S)  # another server is numbering
        return await self.proof(leaf)

    async def consistency(self, old: int, new: int) -> list[bytes]:
        """The hashes which prove that the log of `new` entries continues the one of `old`."""
        if not 0 < old <= new <= await self._store.log_size():
            raise UnknownEntry(f"the log cannot be compared from {old} to {new} entries: it has fewer")
        return await self._hashes(consistency_path(old, new))

    async def tile(self, level: str, place: str) -> bytes:
        """A tile of hashes, or the bundle of entries if `level` is `entries`, full or partial.

        `place` is its number in groups of three digits, and the width of a partial one: `x001/067.p/8`.
        """
        number, width = _read_tile(level, place)
        if level == "entries":
            found = await self._store.log_entries(number * _WIDTH, width)
            parts = [len(entry).to_bytes(2, "big") + entry for entry in found]
        else:
            nodes = [Subtree(int(level) * _HEIGHT, number * _WIDTH + each) for each in range(width)]
            stored = await self._store.log_hashes(nodes)
            parts = [stored[node] for node in nodes if node in stored]
        if len(parts) < width:
            raise UnknownEntry("the log is not that large")
        return b"".join(parts)

    async def _hashes(self, spans: Sequence[Span]) -> list[bytes]:
        stored = await self._store.log_hashes([subtree for span in spans for subtree in span.nodes()])
        return [span.hash(stored.__getitem__) for span in spans]

    # --- finished records -----------------------------------------------------------------------------

    async def record(self, table: Table, unnamed: frozenset[Seat] = frozenset()) -> str:
        """The record of a game that is over, as JSON: made once, off the event loop, and kept by the table.

        A change of name makes another one; an erasure drops them."""
        kept = table.kept_records
        names = tuple("" if seat in unnamed else name for seat, name in enumerate(table.names, 1))
        if names not in kept or _has_failed(kept[names]):
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            kept[names] = asyncio.create_task(self._make_record(table, unnamed))
        return await asyncio.shield(kept[names])

    async def _make_record(self, table: Table, unnamed: frozenset[Seat]) -> str:
        return await asyncio.to_thread(table.finished_record, unnamed, await self.proofs_of(table))


def _read_tile(level: str, place: str) -> tuple[int, int]:
    """The number and the width of a tile; raises `UnknownEntry` unless it is written in the one right way."""
    found = _PLACE.fullmatch(place)
    if found is None or not _LEVEL.fullmatch(level) or place.startswith("x000/"):
        raise UnknownEntry("the log has no such tile")
    groups, last, partial = found.groups()
    number, width = int(re.sub("[x/]", "", groups) + last), int(partial or _WIDTH)
    if partial and width >= _WIDTH:
        raise UnknownEntry("the log has no such tile")
    return number, width


def _has_failed(made: asyncio.Task[str]) -> bool:
    return made.done() and (made.cancelled() or made.exception() is not None)
