"""The evidence of an alarm, checked by a third party: whether the server contradicted itself.

It counts what the server signed. The rest of the file is the word of the client that wrote it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from facedown.core.chain import Chain
from facedown.core.errors import FacedownError, NotVerified, Unreadable
from facedown.core.links import NO_HEAD, Link, head_after, head_digest, read_link
from facedown.core.record import Record
from facedown.core.text.translation import Domain, Text
from facedown.proof.log import Checkpoint, is_fork, read_checkpoint, signer_of
from facedown.proof.signatures import KeyStatement, decode_signature, is_signed, vouched_keys

message: Final = Domain("facedown.core")
EVIDENCE: Final = "facedown/evidence/2"
AlarmKind: TypeAlias = Literal[
    "fork",
    "promises",
    "order",
    "due",
    "pick",
    "mine",
    "opening",
    "clock",
    "seal",
    "hand",
    "record",
    "key",
    "log",
]
_ALARMS: Final = frozenset(get_args(AlarmKind))


class UnreadableEvidence(Unreadable):
    """A file that is no evidence: not JSON, not our format, a part missing or of the wrong kind."""

    code = "unreadable_evidence"


class EvidenceVerdict(NamedTuple):
    """What evidence shows: `contradicts` is None if it rests on the word of a client."""

    contradicts: bool | None
    say: Text


class _Statement(NamedTuple):
    links: tuple[Link, ...] = ()
    heads: tuple[bytes, ...] = ()
    sig: bytes = b""
    record: Record | None = None
    note: str = ""
    checkpoint: Checkpoint | None = None
    path: tuple[bytes, ...] = ()


def judge_evidence(text: str | bytes) -> EvidenceVerdict:
    """Whether the statements in an evidence file contradict each other; raises `UnreadableEvidence`."""
    key, keys, alarm, statements = _read(text)
    chains: list[_Statement] = []
    for number, each in enumerate(statements, 1):
        if not (_is_note_by(keys, each.note) if each.note else _is_by(key, each)):
            return EvidenceVerdict(False, message("evidence.unsigned", n=number))
        chains.append(each)
    for said in _contradictions(chains):
        return EvidenceVerdict(True, said)
    return EvidenceVerdict(None, message("evidence.testimony", alarm=alarm))


def _contradictions(statements: list[_Statement]) -> Iterator[Text]:
    for each in statements:
        broken = _broken_rule(each)
        if broken is not None:
            yield message("evidence.broken", n=broken[0], why=str(broken[1].message))
        if each.record is not None:
            wrong = _wrong_record(each.record)
            if wrong is not None:
                yield message("evidence.record", why=str(wrong))
    for place, one in enumerate(statements):
        for other in statements[place + 1 :]:
            said = _two_logs(one, other)
            if said is not None:
                yield said
            if one.links[:1] and other.links[:1] and one.links[0].get("id") == other.links[0].get("id"):
                for number, (mine, theirs) in enumerate(zip(one.heads, other.heads, strict=False)):
                    if mine != theirs:
                        yield message("evidence.fork", n=number)
                        break


def _two_logs(one: _Statement, other: _Statement) -> Text | None:
    """What two checkpoints contradict each other in; None if they do not, or these are none."""
    old, new = one.checkpoint, other.checkpoint
    if old is None or new is None or not is_fork(old, new, other.path or one.path):
        return None
    return message("evidence.log", old=old.size, new=new.size)


def _broken_rule(statement: _Statement) -> tuple[int, FacedownError] | None:
    """The first link that is not allowed where it is, and why."""
    chain = Chain()
    for number, link in enumerate(statement.links):
        try:
            chain.add(link)
        except (NotVerified, Unreadable) as error:
            return number, error
    return None


def _wrong_record(record: Record) -> FacedownError | None:
    from facedown.proof import verify

    try:
        for _ in verify(record):
            pass
    except FacedownError as error:
        return error
    return None


def _is_by(key: str, statement: _Statement) -> bool:
    """Whether the server with this key signed a statement about a table of its own."""
    links, record = statement.links, statement.record
    if record is not None:
        mark = record.signed
        return mark is not None and mark.key.hex() == key and is_signed(key, mark.digest, mark.signature)
    if not links or links[0].kind != "made" or links[0].get("key") != key:
        return False
    digest = head_digest(links[0].get("id"), len(links) - 1, statement.heads[-1])
    return is_signed(key, digest, statement.sig)


def _is_note_by(keys: frozenset[str], note: str) -> bool:
    try:
        return bool(signer_of(note, keys))
    except NotVerified:
        return False


# --- reading ---------------------------------------------------------------------------------------------


def _read(text: str | bytes) -> tuple[str, frozenset[str], str, list[_Statement]]:
    """The key of the table, all keys that the server changed it from or to, the alarm, and the statements."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableEvidence("this is no evidence: not JSON") from None
    if not isinstance(whole, dict) or whole.get("format") != EVIDENCE:
        raise UnreadableEvidence(f"this is no evidence: its format is not {EVIDENCE!r}")
    key, alarm, statements = whole.get("key"), whole.get("alarm"), whole.get("statements")
    kind = alarm.get("kind") if isinstance(alarm, dict) else None
    if not isinstance(key, str) or kind not in _ALARMS or not isinstance(statements, list):
        raise UnreadableEvidence("this is no evidence: it needs `key`, `alarm` and `statements`")
    try:
        return key, _keys(key, whole.get("keys")), str(kind), [_statement(each) for each in statements]
    except NotVerified as error:
        raise UnreadableEvidence(f"this is no evidence: {error.message}") from None


def _keys(key: str, published: Any) -> frozenset[str]:
    try:
        changes = [] if published is None else [KeyStatement(**each) for each in published["changes"]]
        found = vouched_keys("" if published is None else published["origin"], key, changes)
        return frozenset(each for each in found if len(bytes.fromhex(each)) == 32)
    except (TypeError, KeyError, ValueError, AttributeError):
        raise UnreadableEvidence("this is no evidence: `key` or `keys` cannot be read") from None


def _statement(value: Any) -> _Statement:
    if not isinstance(value, dict):
        raise UnreadableEvidence("this is no evidence: a statement must be an object")
    if value.get("record") is not None:
        record = Record.read(json.dumps(value["record"]))
        links = record.fair.links if record.fair is not None else ()
        return _Statement(links, _heads(links), b"", record)
    if value.get("checkpoint"):
        return _checkpoint_statement(value["checkpoint"], value.get("path", []))
    links_value, sig = value.get("links"), value.get("sig")
    if not isinstance(links_value, list) or not isinstance(sig, str):
        raise UnreadableEvidence("this is no evidence: a statement needs `links` and `sig`")
    links = tuple(read_link(each) for each in links_value)
    return _Statement(links, _heads(links), decode_signature(sig))


def _checkpoint_statement(note: Any, path: Any) -> _Statement:
    try:
        hashes = tuple(bytes.fromhex(each) for each in path)
        return _Statement(note=note, checkpoint=read_checkpoint(note), path=hashes)
    except (TypeError, ValueError, AttributeError):
        raise UnreadableEvidence("this is no evidence: a checkpoint cannot be read") from None


def _heads(links: tuple[Link, ...]) -> tuple[bytes, ...]:
    heads, head = [], NO_HEAD
    for number, link in enumerate(links):
        head = head_after(head, number, link)
        heads.append(head)
    return tuple(heads)
