"""The server's public log: its entries, signed checkpoints and proofs, in the text formats of C2SP.

A checkpoint is a signed note that names the log, its size and its root (tlog-checkpoint); a proof adds the
place of an entry and the path to the root (tlog-proof); a witness adds its own signature and the time
(tlog-cosignature). Its key is named as in signed notes: `name+id+key`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from facedown.core.errors import NotVerified, Unreadable
from facedown.core.merkle import continued_roots, is_continued, is_included, leaf_hash
from facedown.proof.signatures import is_signed, public_key, sign

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_NAME: Final = re.compile(r"[^\s+]+")
_PROOF: Final = "c2sp.org/tlog-proof@v1"
_SIGNED: Final = 0x01
_COSIGNED: Final = 0x04
_LONGEST: Final = 50_000
_MOST_SIGNATURES: Final = 32
_MOST_HASHES: Final = 64


class NotInLog(NotVerified):
    """A proof of the log does not hold."""

    code = "not_in_log"


class LogForked(NotVerified):
    """Two checkpoints of one log contradict each other: it showed two histories."""

    code = "log_forked"


@dataclass(frozen=True, slots=True)
class NoteKey:
    """A public Ed25519 key under the name that signature lines give it."""

    name: str
    public: bytes

    def id(self, kind: int) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([kind]) + self.public).digest()[:4]

    def text(self, kind: int = _SIGNED) -> str:
        """The key as operators of logs and witnesses exchange it: `name+id+key`."""
        return f"{self.name}+{self.id(kind).hex()}+{_base64(bytes([kind]) + self.public)}"


def read_witness_key(text: str) -> NoteKey:
    """The key of a witness from `name+id+key`; raises `Unreadable`."""
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    public = _bytes(encoded, 33)
    found = NoteKey(name, public[1:])
    if not _NAME.fullmatch(name) or public[0] != _COSIGNED or found.id(_COSIGNED).hex() != key_id:
        raise Unreadable("not the key of a witness, which is written as name+id+key")
    return found


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The size and the root of a log at one time."""

    origin: str
    size: int
    root: bytes

    @property
    def body(self) -> str:
        return f"{self.origin}\n{self.size}\n{_base64(self.root)}\n"

    def sign(self, private: bytes) -> str:
        """The signed note, under the log's own name."""
        key = NoteKey(self.origin, bytes.fromhex(public_key(private)))
        return f"{self.body}\n{_line(key, _SIGNED, sign(private, self.body.encode()))}"


def read_checkpoint(note: str, key: NoteKey | None = None) -> Checkpoint:
    """The checkpoint of a note, which `key` must have signed; without a key no signature is checked."""
    body, signatures = _split(note)
    lines = body.split("\n")
    if len(lines) != 4 or not _NAME.fullmatch(lines[0]) or not _NUMBER.fullmatch(lines[1]):
        raise Unreadable("a checkpoint is three lines: origin, size, root")
    found = Checkpoint(lines[0], int(lines[1]), _bytes(lines[2], 32))
    if key is not None and not any(
        is_signed(key.public.hex(), found.body.encode(), signature)
        for name, key_id, signature in signatures
        if (name, key_id) == (key.name, key.id(_SIGNED))
    ):
        raise NotInLog(f"the checkpoint is not signed by {key.public.hex()[:16]}")
    return found


def signer_of(note: str, keys: Iterable[str]) -> str:
    """The one of these public keys that signed the checkpoint; empty if none did, for another may have.

    Raises `NotInLog` if a signature claims to be by one of them and is not.
    """
    origin = note.partition("\n")[0]
    names = {name + key_id.hex() for name, key_id, _ in _split(note)[1]}
    for key in keys:
        found = NoteKey(origin, bytes.fromhex(key))
        if origin + found.id(_SIGNED).hex() in names:
            read_checkpoint(note, found)
            return key
    return ""


def cosigned_at(note: str, witness: NoteKey) -> int | None:
    """When a witness cosigned the note, in seconds since 1970; None if it did not."""
    body, signatures = _split(note)
    for name, key_id, signature in signatures:
        if (name, key_id) == (witness.name, witness.id(_COSIGNED)) and len(signature) == 72:
            at = int(struct.unpack(">Q", signature[:8])[0])
            if is_signed(witness.public.hex(), _cosigned_text(body, at), signature[8:]):
                return at
    return None


@dataclass(frozen=True, slots=True)
class LogProof:
    """An entry's place in the log, and the hashes that lead from it to the root of a checkpoint."""

    index: int
    path: tuple[bytes, ...]
    note: str

    def __str__(self) -> str:
        return "\n".join([_PROOF, f"index {self.index}", *map(_base64, self.path), "", self.note])

    @classmethod
    def read(cls, text: str) -> LogProof:
        head, blank, note = text.partition("\n\n")
        first, *lines = head.split("\n")
        if lines and lines[0].startswith("extra "):
            lines.pop(0)
        place = lines.pop(0).removeprefix("index ") if lines else ""
        if first != _PROOF or not blank or not _NUMBER.fullmatch(place) or len(lines) > _MOST_HASHES:
            raise Unreadable("not a proof of a log")
        return cls(int(place), tuple(_bytes(line, 32) for line in lines), note)

    def check(self, entry: bytes, key: NoteKey | None) -> Checkpoint:
        """The checkpoint that holds the entry; raises `NotInLog`. Without a key no signature is checked."""
        found = read_checkpoint(self.note, key)
        if not is_included(leaf_hash(entry), self.index, found.size, self.path, found.root):
            raise NotInLog("the path does not lead from the entry to the root of the checkpoint")
        return found


def check_continued(old: Checkpoint, new: Checkpoint, path: Sequence[bytes]) -> None:
    """Raise `LogForked` unless the newer checkpoint continues the older one."""
    if old.origin != new.origin:
        raise LogForked("these are checkpoints of two logs")
    if not is_continued(old.size, old.root, new.size, new.root, path):
        raise LogForked(f"the log of {new.size} entries does not begin with the {old.size} shown before")


def is_fork(one: Checkpoint, other: Checkpoint, path: Sequence[bytes]) -> bool:
    """Whether two checkpoints prove that a log has two histories.

    If one is newer, the path has to lead to its root, but not to that of the older one.
    """
    old, new = sorted((one, other), key=lambda each: each.size)
    if old.origin != new.origin or old.size == new.size:
        return (old.origin, old.root) != (new.origin, new.root)
    roots = continued_roots(old.size, old.root, new.size, path)
    return roots is not None and roots[1] == new.root and roots[0] != old.root


def _cosigned_text(body: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{body}".encode()


def _line(key: NoteKey, kind: int, signature: bytes) -> str:
    return f"— {key.name} {_base64(key.id(kind) + signature)}\n"


def _split(note: str) -> tuple[str, list[tuple[str, bytes, bytes]]]:
    """The text of a note, and its signatures: name, key id, bytes."""
    if len(note) > _LONGEST or any(char < " " and char != "\n" for char in note):
        raise Unreadable("not a signed note")
    body, blank, rest = note.rpartition("\n\n")
    lines = rest.split("\n")
    if not blank or lines.pop() or not 0 < len(lines) <= _MOST_SIGNATURES:
        raise Unreadable("not a signed note: its signature lines are missing")
    found = []
    for line in lines:
        parts = line.split(" ")
        if len(parts) != 3 or parts[0] != "—" or not _NAME.fullmatch(parts[1]):
            raise Unreadable("not a signed note: a signature line cannot be read")
        signature = _bytes(parts[2])
        found.append((parts[1], signature[:4], signature[4:]))
    return body + "\n", found


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _bytes(text: str, length: int = 0) -> bytes:
    try:
        found = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        raise Unreadable("not base64") from None
    if (length and len(found) != length) or _base64(found) != text:
        raise Unreadable(f"not base64 of {length} bytes" if length else "not base64")
    return found
