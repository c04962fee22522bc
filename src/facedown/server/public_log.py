"""The public log of this server: checkpoints, proofs and entries for anyone who asks.

Entries are saved with the facts they belong to and numbered within about a second. All servers of a store
show the same log, and sign the same checkpoint alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from facedown.core.errors import FacedownError, Unsupported
from facedown.core.merkle import Span, consistency_path, inclusion_path
from facedown.proof.checks import can_sign
from facedown.proof.log import Checkpoint, LogProof
from facedown.server.accounts.signing import Signing
from facedown.server.store.base import Store

MOST_ENTRIES: Final = 1000
"""Entries in one answer."""


class UnknownEntry(FacedownError):
    """The log has no such entry, or has not numbered it yet."""

    code = "unknown_entry"
    status: ClassVar[int] = 404


class PublicLog:
    """Proves what the log of a store holds."""

    def __init__(self, store: Store, signing: Signing) -> None:
        self._store = store
        self._signing = signing
        self._signed: tuple[int, str] | None = None
        """The last checkpoint: its size and the signed note."""

    async def checkpoint(self) -> str:
        """The newest signed checkpoint."""
        if not can_sign():
            raise Unsupported("this server cannot sign: the library for it is not installed")
        size = await self._store.log_size()
        if self._signed is None or self._signed[0] != size:
            (root,) = await self._hashes([Span(0, size)])
            key = await self._signing.private_key()
            self._signed = size, Checkpoint(await self.origin(), size, root).sign(key)
        return self._signed[1]

    async def origin(self) -> str:
        """The name of the log, which stays when its address changes."""
        return f"facedown/{(await self._signing.public_key()).hex()[:32]}"

    async def proof(self, leaf: bytes) -> LogProof:
        """The proof that the entry with this leaf hash is in the log."""
        note = await self.checkpoint()
        size = int(note.split("\n")[1])
        index = await self._store.log_index(leaf)
        if index is None or index >= size:
            raise UnknownEntry("the log has no such entry, or not yet: ask again in a second")
        return LogProof(index, tuple(await self._hashes(inclusion_path(index, size))), note)

    async def consistency(self, old: int, new: int) -> list[bytes]:
        """The hashes which prove that the log of `new` entries continues the one of `old`."""
        if not 0 < old <= new <= await self._store.log_size():
            raise UnknownEntry(f"the log cannot be compared from {old} to {new} entries: it has fewer")
        return await self._hashes(consistency_path(old, new))

    async def entries(self, after: int) -> list[bytes]:
        return await self._store.log_entries(after, MOST_ENTRIES)

    async def _hashes(self, spans: Sequence[Span]) -> list[bytes]:
        stored = await self._store.log_hashes([node for span in spans for node in span.nodes()])
        return [span.hash(stored.__getitem__) for span in spans]
