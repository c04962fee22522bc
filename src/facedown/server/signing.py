"""The server's signing key: created on first use, kept in the store, changed with a statement of both keys.

Signs records and the heads of tables.
"""

from __future__ import annotations

import secrets
from typing import Final

import msgspec

from facedown.core.links import NO_KEY, head_digest, leaf_of_log, rotation_digest
from facedown.proof.log import Checkpoint, NoteKey
from facedown.proof.signatures import (
    can_sign,
    encode_signature,
    new_signing_key,
    public_key,
    sign,
    sign_text,
)
from facedown.protocol.rest import KeyChange, ServerKeys
from facedown.server.store.base import Store

_FIRST: Final = "signing"
"""The name of the first private key in the store, whose database only its owner can read."""
_LATER: Final = "signing/later"
"""The name of the keys after it, the oldest first."""


class _LaterKey(msgspec.Struct, frozen=True):
    private: str
    change: KeyChange
    """The statement about this key, by the one before it and by itself."""


class Signing:
    """Signs heads and records; leaves them unsigned if the library for it is not installed."""

    def __init__(self, store: Store, origin: str = "") -> None:
        """`origin` is the public address of the server."""
        self._store = store
        self.origin = origin
        self.key = NO_KEY
        """The public key of new tables."""
        self._private: dict[str, bytes] = {}
        """The private keys, past ones included, by their public keys."""
        self._changes: tuple[KeyChange, ...] = ()
        self._later = b""
        """The later keys as they are in the store."""

    async def load(self) -> None:
        """Read the keys, or create the first one; nothing if this server cannot sign."""
        if not can_sign():
            return
        first = await self._store.set_value_once(_FIRST, new_signing_key(secrets.token_bytes(64)))
        self._later = await self._store.set_value_once(_LATER, b"[]")
        later = msgspec.json.decode(self._later, type=tuple[_LaterKey, ...])
        privates = [first, *(bytes.fromhex(each.private) for each in later)]
        self._private = {public_key(each): each for each in privates}
        self._changes = tuple(each.change for each in later)
        self.key = public_key(privates[-1])

    async def follow(self, key: str = "") -> None:
        """Read the keys again if another server may have changed them, unless it knows this one."""
        if self._store.shared and key not in self._private:
            await self.load()

    async def change_key(self, at: int) -> ServerKeys:
        """Create a new key for new tables, with a statement that the old and the new one sign."""
        await self.load()
        while not await self._change(at):  # another server changed it at the same moment
            await self.load()
        await self.load()
        return self.published()

    async def _change(self, at: int) -> bool:
        before, new = self._later, new_signing_key(secrets.token_bytes(64))
        digest = rotation_digest(self.origin, bytes.fromhex(self.key), bytes.fromhex(public_key(new)), at)
        signed = (encode_signature(sign(each, digest)) for each in (self._private[self.key], new))
        change = KeyChange(self.key, public_key(new), at, *signed)
        later = msgspec.json.decode(before, type=tuple[_LaterKey, ...])
        await self._store.add_log_entry(leaf_of_log("key", "", digest))
        saved = msgspec.json.encode((*later, _LaterKey(new.hex(), change)))
        return await self._store.replace_value(_LATER, before, saved)

    def published(self) -> ServerKeys:
        """What anyone may know of the keys."""
        return ServerKeys(self.origin, self.key, self._changes)

    def sign_checkpoint(self, size: int, root: bytes) -> str:
        """A signed checkpoint of the public log, which is named after the first key of the server."""
        return Checkpoint(self._log_name, size, root).sign(self._private[self.key])

    @property
    def log_key(self) -> NoteKey:
        """The key that signs checkpoints, under the name of the log."""
        return NoteKey(self._log_name, bytes.fromhex(self.key))

    @property
    def _log_name(self) -> str:
        first = self._changes[0].old if self._changes else self.key
        return f"facedown/{first[:32]}"

    def sign_record(self, text: str, key: str) -> str:
        """The JSON text of a record, signed with the key of its table."""
        private = self._private.get(key)
        return text if private is None else sign_text(text, private)

    def sign_head(self, key: str, table: str, number: int, head: bytes) -> str:
        """The signature of a head with the key of its table; empty if this server does not have it."""
        private = self._private.get(key)
        return "" if private is None else encode_signature(sign(private, head_digest(table, number, head)))
