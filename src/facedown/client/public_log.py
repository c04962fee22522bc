"""The public log of a server, checked from outside: it may only grow, and it holds what the server promised.

Calls block.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.client.errors import ServerRefused
from facedown.client.keys import KnownServers
from facedown.client.memory import Statement
from facedown.client.rest import RestClient
from facedown.core.errors import NotVerified, Unreadable
from facedown.core.merkle import leaf_hash
from facedown.proof.log import (
    Checkpoint,
    LogForked,
    LogProof,
    NotInLog,
    check_continued,
    read_checkpoint,
    signer_of,
)


class BrokenLog(LogForked):
    """The log does not hold what it must: with the signed checkpoints that show it."""

    def __init__(self, why: str, notes: Sequence[str], path: Sequence[str] = ()) -> None:
        super().__init__(why)
        self.notes = tuple(notes)
        self.path = tuple(path)

    @property
    def statements(self) -> list[Statement]:
        """The checkpoints as evidence, the path from one to the other with the last."""
        last = len(self.notes) - 1
        return [
            Statement(checkpoint=note, path=self.path if number == last else ())
            for number, note in enumerate(self.notes)
        ]


class ServerLog:
    """The public log of one server: every checkpoint has to continue the last one, which is kept."""

    def __init__(self, server: RestClient, known: KnownServers, keys: frozenset[str] = frozenset()) -> None:
        """`keys`: those that the server is known by; without them it is asked."""
        self.server = server
        self._known = known
        self.keys = keys or known.meet(server)

    def advance(self) -> str:
        """The newest checkpoint that was seen; raises `BrokenLog`."""
        self._take(self.server.log_checkpoint())
        return self._known.checkpoint(self.server.address)

    def prove(self, entry: bytes) -> LogProof:
        """The proof that the log has an entry, in a checkpoint that continues the last one.

        Raises `BrokenLog`, and `ServerRefused` until the log has it.
        """
        text = self.server.log_proof(leaf_hash(entry)).proof
        if not text:
            raise ServerRefused("unknown_entry", "the log has no such entry, or not yet", status=404)
        try:
            proof = LogProof.read(text)
            proof.check(entry, None)
        except (NotVerified, Unreadable) as error:
            raise BrokenLog(f"a proof of the log is false: {error.message}", ()) from None
        self._take(proof.note)
        return proof

    def compare(self, one: str, other: str) -> None:
        """Raise `BrokenLog` unless the newer of two checkpoints continues the older one."""
        old, new = sorted((one, other), key=lambda note: self._read(note).size)
        before, after = self._read(old), self._read(new)
        path: tuple[str, ...] = ()
        try:
            if before.origin == after.origin and 0 < before.size < after.size:
                path = self.server.log_consistency(before.size, after.size).path
            check_continued(before, after, [bytes.fromhex(each) for each in path])
        except ServerRefused as refused:
            if refused.name != "unknown_entry":
                raise
            raise BrokenLog("the log has fewer entries than the server has signed", (old, new)) from None
        except (LogForked, ValueError) as error:
            raise BrokenLog(str(error), (old, new), path) from None

    def _take(self, note: str) -> None:
        """Compare a checkpoint with the last one, and keep the newer."""
        new, kept = self._read(note), self._known.checkpoint(self.server.address)
        if kept:
            self.compare(kept, note)
        if not kept or self._read(kept).size < new.size:
            self._known.keep_checkpoint(self.server.address, note)

    def _read(self, note: str) -> Checkpoint:
        """A checkpoint that the server signed; asks for its keys again, as it may have changed them."""
        try:
            if not signer_of(note, self.keys):
                self.keys = self._known.meet(self.server)
                if not signer_of(note, self.keys):
                    raise NotInLog("the checkpoint is not signed with a known key of the server")
            return read_checkpoint(note)
        except (NotVerified, Unreadable, ValueError) as error:
            raise BrokenLog(f"a checkpoint of the log is false: {error}", (note,)) from None
