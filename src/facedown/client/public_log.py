"""The public log of a server, checked from outside: it may only grow, and it holds what the server promised.

Clients do so beside play, witnesses for everyone. Calls block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from facedown.client.errors import ServerLost, ServerRefused
from facedown.client.keys import KnownServers
from facedown.client.memory import Alarm, Evidence, Statement
from facedown.client.rest import RestClient
from facedown.core.errors import NotVerified, Unreadable
from facedown.core.merkle import leaf_hash
from facedown.proof.evidence import EVIDENCE
from facedown.proof.log import (
    Checkpoint,
    LogForked,
    LogProof,
    NotInLog,
    check_continued,
    cosigned_at,
    read_checkpoint,
    signer_of,
    witness_key,
)
from facedown.protocol.rest import WitnessedLog


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
        self._take(self.server.log_checkpoint().checkpoint)
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

    def holds(self, entry: bytes, witness: RestClient | None = None) -> bool:
        """Whether the log has an entry, and the witness has cosigned that; raises as `prove` does."""
        proof = self.prove(entry)
        return witness is None or self.is_witnessed(witness, proof.index, proof.note)

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

    def is_witnessed(self, witness: RestClient, index: int, note: str) -> bool:
        """Whether a witness has cosigned a checkpoint with the entry of this number.

        Raises `BrokenLog` if what the server signed for the witness does not fit `note`. A witness can say
        anything else: it proves nothing.
        """
        origin, keys = self._read(note).origin, self._known.meet(witness)
        for each in witness.witnessed().logs:
            if each.checkpoint.partition("\n")[0] != origin or not self._is_signed(each.checkpoint):
                continue
            if not any(cosigned_at(each.checkpoint, witness_key(key)) for key in keys):
                continue
            self.compare(each.checkpoint, note)
            if each.fork and self._is_signed(each.fork):
                self.compare(each.fork, note)
            if self._read(each.checkpoint).size > index:
                return True
        return False

    def _is_signed(self, note: str) -> bool:
        try:
            self._read(note)
        except BrokenLog:
            return False
        return True

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


def observe(address: str, seen: WitnessedLog | None, cosign: Callable[[str], str]) -> WitnessedLog:
    """What a witness sees of a log now; raises `ServerLost` or `ServerRefused`.

    A checkpoint that does not continue the last one stays beside it for good.
    """
    if seen is not None and seen.fork:
        return seen
    server, known = RestClient(address), KnownServers()
    if seen is not None:
        known.accept(server.address, seen.keys.key)
        known.keep_checkpoint(server.address, seen.checkpoint)
    log = ServerLog(server, known)
    try:
        note = log.advance()
    except BrokenLog as broken:
        if seen is None or len(broken.notes) < 2:
            raise ServerLost(f"{server.address}: {broken}") from None
        fork = next(each for each in broken.notes if each != seen.checkpoint)
        return replace(seen, keys=known.published or seen.keys, fork=fork, path=broken.path)
    assert known.published is not None
    return WitnessedLog(server.address, known.published, cosign(note))


def fork_evidence(seen: WitnessedLog) -> bytes:
    """The evidence of a fork as a file, for `facedown verify --evidence`."""
    statements = BrokenLog("", (seen.checkpoint, seen.fork), seen.path).statements
    alarm = Alarm("log")
    found = Evidence(EVIDENCE, seen.server, seen.keys.key, "", 0, alarm, tuple(statements), keys=seen.keys)
    return msgspec.json.format(msgspec.json.encode(found), indent=1)
