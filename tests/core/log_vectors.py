"""Vectors of the public log for every client: proofs of entries and of continued logs, honest and forged.

    python -m tests.core.log_vectors > tests/vectors/log.json

The browser's tests read the same file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from facedown.core.errors import NotVerified, Unreadable
from facedown.core.merkle import consistency_path
from facedown.proof.log import LogProof, NoteKey, check_continued, cosigned_at, read_checkpoint
from tests.core.test_log import COSIGNED, ENTRIES, KEY, LOG, OTHER, PRIVATE, WITNESS, Log, cosignature

SIZES: Final = (1, 2, 3, 5, 8, 13)
FORK: Final = Log([*ENTRIES[:4], *reversed(ENTRIES[4:])])


def proofs() -> Iterator[tuple[int, str]]:
    """An entry, and a text that claims to prove it."""
    for size in SIZES:
        for index in range(size):
            yield index, str(LOG.proof(index, size))
    honest = LOG.proof(4, 13)
    yield 5, str(honest)
    for forged in (
        replace(honest, index=5),
        replace(honest, index=13),
        replace(honest, path=honest.path[:-1]),
        replace(honest, path=(*honest.path, bytes(32))),
        replace(honest, path=honest.path[::-1]),
        _in_a_larger_tree(LOG.proof(4, 8), 13),
        replace(honest, note=FORK.checkpoint(13).sign(PRIVATE)),
        replace(honest, note=LOG.checkpoint(13).sign(OTHER)),
        replace(honest, note=honest.note.replace("\n13\n", "\n14\n")),
        replace(honest, note=honest.note.replace("— facedown", "— other")),
    ):
        yield 4, str(forged)
    text = str(honest)
    for change in (("@v1", "@v9"), ("index 4", "index 04"), ("index 4\n", ""), ("\n\n", "\n"), ("— ", "- ")):
        yield 4, text.replace(*change)
    yield 4, ""


def _in_a_larger_tree(proof: LogProof, size: int) -> LogProof:
    """A proof that ends below the root: it is that of a smaller tree, and so is the root that was signed."""
    checkpoint = replace(read_checkpoint(proof.note), size=size)
    return replace(proof, note=checkpoint.sign(PRIVATE))


def continuations() -> Iterator[tuple[str, str, list[str]]]:
    """Two checkpoints, and the path that claims to lead from one to the other."""
    for new in SIZES:
        for old in SIZES:
            if old <= new:
                yield _note(LOG, old), _note(LOG, new), _path(LOG, old, new)
    honest = _path(LOG, 5, 13)
    yield _note(LOG, 0), _note(LOG, 3), []
    yield _note(LOG, 5), _note(LOG, 13), []
    yield _note(LOG, 5), _note(LOG, 13), honest[::-1]
    yield _note(LOG, 5), _note(LOG, 13), honest[:-1]
    yield _note(LOG, 5), _note(LOG, 13), [*honest, "00" * 32]
    yield _note(LOG, 13), _note(LOG, 5), honest
    for old, new in ((5, 5), (5, 13), (8, 13), (3, 13)):
        yield _note(LOG, old), _note(FORK, new), _path(FORK, old, new)


def cosigned() -> Iterator[str]:
    """Checkpoints, some of which the witness has cosigned."""
    note, other = _note(LOG, 5), _note(LOG, 8)
    yield note
    yield note + cosignature(note)
    yield note + cosignature(note, at=2**63)
    yield note + cosignature(note, witness=NoteKey("other.example", WITNESS.public)) + cosignature(note)
    yield note + cosignature(other)
    yield note + cosignature(note, witness=NoteKey(WITNESS.name, KEY.public))
    yield note + cosignature(note).replace("w1", "w2")


def _note(log: Log, size: int) -> str:
    return log.checkpoint(size).sign(PRIVATE)


def _path(log: Log, old: int, new: int) -> list[str]:
    return [each.hex() for each in log.hashes(consistency_path(old, new))]


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


def vectors() -> dict[str, Any]:
    """Everything, as it is in the file. Entry n is `table` with the id `Tn` and 32 times the byte n."""
    return {
        "key": KEY.public.hex(),
        "proofs": [{"entry": each[0], "proof": each[1], "holds": is_proven(*each)} for each in proofs()],
        "continued": [
            {"old": old, "new": new, "path": path, "holds": is_continued(old, new, path)}
            for old, new, path in continuations()
        ],
        "witness": WITNESS.text(COSIGNED),
        "cosigned": [{"note": note, "holds": cosigned_at(note, WITNESS) is not None} for note in cosigned()],
    }


if __name__ == "__main__":
    print(json.dumps(vectors(), indent=1, ensure_ascii=False))
