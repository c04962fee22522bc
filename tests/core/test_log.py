"""Notes, checkpoints and proofs of the public log: round trips, and every kind of forgery."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from pathlib import Path
from typing import Any, Final

import pytest

from facedown.core.errors import NotVerified, Unreadable
from facedown.core.links import leaf_of_log
from facedown.core.merkle import Span, Subtree, consistency_path, inclusion_path, leaf_hash
from facedown.proof.log import (
    Checkpoint,
    LogForked,
    LogProof,
    NoteKey,
    NotInLog,
    check_continued,
    cosigned_at,
    read_checkpoint,
    read_witness_key,
)
from facedown.proof.signatures import public_key, sign
from facedown.server.store.log import new_nodes

PRIVATE = hashlib.sha256(b"log").digest()
OTHER = hashlib.sha256(b"other").digest()
ORIGIN = "facedown/0123"


def public(private: bytes) -> bytes:
    return bytes.fromhex(public_key(private))


KEY = NoteKey(ORIGIN, public(PRIVATE))
WITNESS = NoteKey("witness.example/w1", public(OTHER))
COSIGNED = 4


def cosignature(note: str, at: int = 1_700_000_000, witness: NoteKey = WITNESS) -> str:
    """The line that a witness adds to a checkpoint (C2SP tlog-cosignature)."""
    body = note.partition("\n\n")[0] + "\n"
    signature = sign(OTHER, f"cosignature/v1\ntime {at}\n{body}".encode())
    signed = witness.id(COSIGNED) + struct.pack(">Q", at) + signature
    return f"— {witness.name} {base64.b64encode(signed).decode()}\n"


class Log:
    """A log in memory."""

    def __init__(self, entries: list[bytes]) -> None:
        rows = new_nodes(0, [leaf_hash(each) for each in entries], {})
        self._hashes = {Subtree(level, place): found for level, place, found in rows}

    def hashes(self, spans: list[Span]) -> tuple[bytes, ...]:
        return tuple(span.hash(self._hashes.__getitem__) for span in spans)

    def checkpoint(self, size: int) -> Checkpoint:
        return Checkpoint(ORIGIN, size, *self.hashes([Span(0, size)]))

    def proof(self, index: int, size: int) -> LogProof:
        return LogProof(index, self.hashes(inclusion_path(index, size)), self.checkpoint(size).sign(PRIVATE))


VECTORS: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors/log.json").read_text(encoding="utf-8")
)
"""Frozen: they are the protocol. Entry n is `table` with the id `Tn` and 32 times the byte n."""
ENTRIES = [leaf_of_log("table", f"T{number}", bytes([number]) * 32) for number in range(13)]
LOG = Log(ENTRIES)


def test_an_entry_names_its_kind_its_value_and_its_table_only_by_a_hash() -> None:
    entry = leaf_of_log("record", "a-private-table", b"\x07" * 32)
    assert b"a-private-table" not in entry
    assert entry.startswith(b"\x00\x00\x00\x0ffacedown/2/leaf\x00\x00\x00\x06record\x00\x00\x00\x20")
    assert len({leaf_of_log(kind, "T", bytes(32)) for kind in ("table", "record", "closed", "key")}) == 4


def test_a_key_has_the_published_id() -> None:
    # The key of Go's checksum database.
    key = base64.b64decode("Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8")
    assert NoteKey("sum.golang.org", key[1:]).id(key[0]).hex() == "033de0ae"


def test_a_checkpoint_is_read_back_and_only_with_its_key() -> None:
    checkpoint = LOG.checkpoint(13)
    note = checkpoint.sign(PRIVATE)
    assert read_checkpoint(note, KEY) == read_checkpoint(note) == checkpoint
    for other in (NoteKey(ORIGIN, public(OTHER)), NoteKey("another", KEY.public)):
        with pytest.raises(NotInLog):
            read_checkpoint(note, other)
    with pytest.raises(NotInLog):
        read_checkpoint(note.replace("\n13\n", "\n12\n"), KEY)


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "\n\n",
        "facedown\n1\n",
        "o\n1\nAAAA\n\n— o AAAA\n",
        f"o\n01\n{base64.b64encode(bytes(32)).decode()}\n\n— o AAAAAAAA\n",
        f"o\n-1\n{base64.b64encode(bytes(32)).decode()}\n\n— o AAAAAAAA\n",
        f"o\n1\n{base64.b64encode(bytes(32)).decode()}\n\n- o AAAAAAAA\n",
        f"o\n1\n{base64.b64encode(bytes(32)).decode()}\n\n— o\n",
        f"o\n1\n{base64.b64encode(bytes(32)).decode()}\n\n",
        f"o\n1\n{base64.b64encode(bytes(32)).decode()}\n\n— o !!\n",
        f"o\t\n1\n{base64.b64encode(bytes(32)).decode()}\n\n— o AAAAAAAA\n",
        "x" * 100_000,
    ],
)
def test_nonsense_is_no_checkpoint(broken: str) -> None:
    with pytest.raises(Unreadable):
        read_checkpoint(broken)


def test_a_witness_signs_what_it_saw_and_when() -> None:
    note = LOG.checkpoint(5).sign(PRIVATE)
    seen = note + cosignature(note)
    assert read_checkpoint(seen, KEY) == LOG.checkpoint(5)
    assert (cosigned_at(seen, WITNESS), cosigned_at(note, WITNESS)) == (1_700_000_000, None)
    assert cosigned_at(seen, NoteKey(WITNESS.name, KEY.public)) is None
    moved = LOG.checkpoint(6).sign(PRIVATE) + cosignature(note)
    assert cosigned_at(moved, WITNESS) is None


def test_a_witness_key_is_read_back_and_no_other_text_is_one() -> None:
    text = WITNESS.text(COSIGNED)
    assert read_witness_key(text) == WITNESS
    for broken in (
        "",
        "witness.example/w1",
        WITNESS.text(),  # the key of a log
        text.replace("w1", "w2"),
        text.replace("witness", "wit ness"),
        text[:-4],
        text + "AAAA",
        text.replace("+", "-"),
    ):
        with pytest.raises(Unreadable):
            read_witness_key(broken)


def test_a_proof_is_read_back_and_fits_only_its_entry() -> None:
    proof = LogProof.read(str(LOG.proof(4, 13)))
    assert proof == LOG.proof(4, 13)
    assert proof.check(ENTRIES[4], KEY) == LOG.checkpoint(13)
    for entry in (ENTRIES[5], leaf_of_log("record", "T4", bytes([4]) * 32)):
        with pytest.raises(NotInLog):
            proof.check(entry, KEY)
    with pytest.raises(NotInLog):
        LogProof(4, proof.path, LOG.checkpoint(13).sign(OTHER)).check(ENTRIES[4], KEY)
    with pytest.raises(NotInLog):
        LogProof(5, proof.path, proof.note).check(ENTRIES[4], KEY)
    extra = str(proof).replace("\nindex", "\nextra AAAA\nindex")
    assert LogProof.read(extra) == proof


@pytest.mark.parametrize(
    "change", [("tlog-proof@v1", "tlog-proof@v9"), ("index 4", "index x"), ("\n\n", "\n")]
)
def test_nonsense_is_no_proof(change: tuple[str, str]) -> None:
    with pytest.raises(Unreadable):
        LogProof.read(str(LOG.proof(4, 13)).replace(*change))


def test_two_checkpoints_that_do_not_fit_together_are_a_fork() -> None:
    path = LOG.hashes(consistency_path(5, 13))
    check_continued(LOG.checkpoint(5), LOG.checkpoint(13), path)
    forged = Log([*ENTRIES[:3], b"another", *ENTRIES[4:]])
    for old, new in (
        (LOG.checkpoint(5), forged.checkpoint(13)),
        (LOG.checkpoint(13), forged.checkpoint(13)),
        (LOG.checkpoint(13), LOG.checkpoint(5)),
    ):
        with pytest.raises(LogForked):
            check_continued(old, new, path)
    with pytest.raises(LogForked):
        check_continued(LOG.checkpoint(5), Checkpoint("another", 13, LOG.checkpoint(13).root), path)


# --- the vectors, which the browser's tests read as well -------------------------------------------------


def is_proven(entry: int, text: str) -> bool:
    """Whether a proof holds, signed by the log's key."""
    try:
        LogProof.read(text).check(ENTRIES[entry], KEY)
    except (NotVerified, Unreadable):
        return False
    return True


def is_continued(old: str, new: str, path: list[str]) -> bool:
    try:
        check_continued(read_checkpoint(old), read_checkpoint(new), [bytes.fromhex(each) for each in path])
    except NotVerified:
        return False
    return True


def test_proofs_hold_as_the_vectors_say() -> None:
    assert (VECTORS["key"], VECTORS["witness"]) == (KEY.public.hex(), WITNESS.text(COSIGNED))
    for each in VECTORS["proofs"]:
        assert is_proven(each["entry"], each["proof"]) is each["holds"], each
    for each in VECTORS["continued"]:
        assert is_continued(each["old"], each["new"], each["path"]) is each["holds"], each
    for each in VECTORS["cosigned"]:
        assert (cosigned_at(each["note"], WITNESS) is not None) is each["holds"], each
    for part in ("proofs", "continued", "cosigned"):
        assert {each["holds"] for each in VECTORS[part]} == {True, False}
