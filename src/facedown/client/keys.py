"""Keys of servers: each is kept at the first contact, and changes only with a statement of the key before."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from facedown.client.errors import ServerLost, ServerRefused
from facedown.client.rest import RestClient
from facedown.core.errors import FacedownError
from facedown.core.links import NO_KEY
from facedown.files import replace_file
from facedown.proof.signatures import can_sign, decode_signature, rotation_holds
from facedown.protocol.rest import KeyChange, ServerKeys

SERVERS: Final = "servers.json"


def trusted_keys(published: ServerKeys, pinned: str) -> frozenset[str]:
    """The keys of a server that the pinned one vouches for, by statements of both keys of each change.

    Without a pinned key it is the published one; none if the published key is not among them.
    """
    known = {pinned or published.key}
    fresh = True
    while fresh and can_sign():
        fresh = False
        for change in published.changes:
            if (change.old in known) is not (change.new in known) and _holds(published.origin, change):
                known |= {change.old, change.new}
                fresh = True
    return frozenset(known) if published.key in known else frozenset()


def _holds(origin: str, change: KeyChange) -> bool:
    try:
        by_old, by_new = decode_signature(change.by_old), decode_signature(change.by_new)
        return rotation_holds(origin, change.old, change.new, change.at, by_old, by_new)
    except (FacedownError, ValueError):
        return False


class KnownServers:
    """The file with the key of every server that was met; without a file, this process remembers alone."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self.keys: dict[str, str] = {}
        """The keys, by the addresses of the servers."""
        if file is not None:
            with suppress(OSError, msgspec.MsgspecError):
                self.keys = msgspec.json.decode(file.read_bytes(), type=dict[str, str])

    def meet(self, server: RestClient) -> frozenset[str]:
        """Ask a server for its keys: those that it may sign with. Empty if it has none, or does not say.

        If its key is not vouched for by the one that is kept, that one alone.
        """
        pinned = self.keys.get(server.address, "")
        try:
            published = server.keys()
        except (ServerLost, ServerRefused):
            return frozenset({pinned}) if pinned else frozenset()
        if published.key == NO_KEY and not pinned:
            return frozenset()
        found = trusted_keys(published, pinned)
        if not found:
            return frozenset({pinned})
        if pinned != published.key:
            self.keys[server.address] = published.key
            self._write()
        return found

    def accept(self, address: str, key: str) -> None:
        """Keep another key by hand: the operator has lost the old one."""
        self.keys[address] = key
        self._write()

    def server_of(self, key: str) -> str:
        """The address of the server with this key; empty if none is known."""
        return next((address for address, each in self.keys.items() if each == key), "")

    def _write(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                replace_file(self._file, msgspec.json.encode(self.keys), mode=0o600)
