"""What is known of servers: the key of each, kept at the first contact, and the newest checkpoint of its log.

A key changes only with a statement of the key before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import astuple, replace

from facedown.client.errors import ServerLost, ServerRefused
from facedown.client.rest import RestClient
from facedown.core.links import NO_KEY
from facedown.files import replace_file
from facedown.proof.signatures import KeyStatement, vouched_keys
from facedown.protocol.rest import ServerKeys

SERVERS: Final = "servers.json"
_CHANGING: Final = threading.Lock()


def trusted_keys(published: ServerKeys, pinned: str) -> frozenset[str]:
    """The keys of a server that the pinned one vouches for, by statements of both keys of each change.

    Without a pinned key it is the published one; none if the published key is not among them.
    """
    statements = [KeyStatement(*astuple(each)) for each in published.changes]
    known = vouched_keys(published.origin, pinned or published.key, statements)
    return known if published.key in known else frozenset()


class KnownServer(msgspec.Struct, frozen=True):
    """A server that was met: its key, and the newest checkpoint of its public log."""

    key: str
    checkpoint: str = ""


class KnownServers:
    """The file of the servers that were met; without a file, this process remembers alone."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._known: dict[str, KnownServer] = {}
        self.published: ServerKeys | None = None
        """What the last server that was met says of its keys, if the kept one vouches for it."""

    @property
    def keys(self) -> dict[str, str]:
        """The keys, by the addresses of the servers."""
        return {address: each.key for address, each in self._read().items()}

    def checkpoint(self, address: str) -> str:
        """The newest checkpoint of a server's log that was seen; empty if none was."""
        known = self._read().get(address)
        return "" if known is None else known.checkpoint

    def meet(self, server: RestClient) -> frozenset[str]:
        """Ask a server for its keys: those that it may sign with. Empty if it has none, or does not say.

        If its key is not vouched for by the one that is kept, that one alone.
        """
        known = self._read().get(server.address)
        pinned = "" if known is None else known.key
        try:
            published = server.keys()
        except (ServerLost, ServerRefused):
            return frozenset({pinned}) if pinned else frozenset()
        if published.key == NO_KEY and not pinned:
            return frozenset()
        found = trusted_keys(published, pinned)
        if not found:
            return frozenset({pinned})
        self.published = published
        if pinned != published.key:
            self._change(server.address, lambda known: replace(known or KnownServer(""), key=published.key))
        return found

    def keep_checkpoint(self, address: str, note: str) -> None:
        self._change(address, lambda known: known and replace(known, checkpoint=note))

    def _read(self) -> dict[str, KnownServer]:
        """All of them as they are now: other programs may have met servers since."""
        if self._file is not None:
            with suppress(OSError, msgspec.MsgspecError):
                self._known = msgspec.json.decode(self._file.read_bytes(), type=dict[str, KnownServer])
        return self._known

    def _change(self, address: str, change: Callable[[KnownServer | None], KnownServer | None]) -> None:
        """Keep what follows from what is known of a server; tables in other threads keep theirs, too."""
        with _CHANGING:
            known = self._read()
            changed = change(known.get(address))
            if changed is None:
                return
            self._known = {**known, address: changed}
            if self._file is not None:
                with suppress(OSError):
                    self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                    replace_file(self._file, msgspec.json.encode(self._known), mode=0o600)
