"""`facedown verify`: checks everything that records claim, and ends in one verdict.

Proven (exit 0), consistent but not proven (3), or false (1); what cannot be read is 2.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from facedown.cli import DONE, FAILED, UNPROVEN, WRONG
from facedown.cli.complaints import Complaints, complaint
from facedown.cli.errors import Usage, error_as_json
from facedown.core.errors import FacedownError, NotVerified, Unreadable
from facedown.core.record import Record
from facedown.core.replay import Finding
from facedown.core.text.translation import ENGLISH, Domain, in_language, translate
from facedown.files import read_file
from facedown.library.record_files import RecordText, one_record, reading
from facedown.proof import CONSISTENT, PROVEN, verdict_of, verify
from facedown.proof.checks import history_finding, witness_finding
from facedown.proof.evidence import judge_evidence
from facedown.proof.log import LogProof, NoteKey, read_witness_key
from facedown.terminal.paths import state_folder
from facedown.terminal.settings import chosen_language

if TYPE_CHECKING:
    from facedown.client.public_log import ServerLog

message: Final = Domain("facedown.core")
_compact = json.JSONEncoder(separators=(",", ":")).encode
_KEY: Final = re.compile(r"[0-9a-f]{64}")


class _Asked(NamedTuple):
    """What records are checked with."""

    origin: Record | None
    anchors: dict[str, str]
    only: bool
    """Whether a table may be signed with these keys alone."""
    memory: bytes | None
    log: ServerLog | None
    witness: NoteKey | None


def run(arguments: argparse.Namespace) -> int:
    """Check every record of the source, or a file of evidence."""
    language = chosen_language(arguments.language)
    if arguments.evidence:
        return _judge(arguments.record, language, as_json=arguments.json)
    asked = _read_options(arguments)
    codes = [DONE]
    with reading(arguments.record) as source:
        complaints = Complaints(source)
        for entry in source.entries:
            findings, error = _check(entry, asked)
            complaints.add(None if error is None else complaint(error, entry.line))
            codes.append(_code(findings, error))
            if arguments.json:
                print(_compact(_as_json(findings, error)))
            else:
                _print(entry, findings, error, language)
            if complaints.hopeless:
                break
        sys.stdout.flush()
        if not complaints.close() and len(codes) == 1:
            return FAILED
    return next(code for code in (WRONG, FAILED, UNPROVEN, DONE) if code in codes)


def _read_options(arguments: argparse.Namespace) -> _Asked:
    anchors, only = _anchors(arguments)
    return _Asked(
        None if arguments.origin is None else one_record(arguments.origin),
        anchors,
        only,
        None if arguments.memory is None else read_file(arguments.memory),
        _log_of(arguments.server),
        _witness_key(arguments),
    )


def _log_of(server: str | None) -> ServerLog | None:
    if server is None:
        return None
    from facedown.client.keys import KnownServers
    from facedown.client.public_log import ServerLog
    from facedown.client.rest import RestClient

    return ServerLog(RestClient(server), KnownServers())


def _witness_key(arguments: argparse.Namespace) -> NoteKey | None:
    if arguments.witness_key is None:
        return None
    if arguments.server is None:
        raise Usage("--witness-key needs --server: whose log is it?")
    try:
        return read_witness_key(arguments.witness_key)
    except Unreadable as error:
        raise Usage(f"--witness-key: {error.message}") from None


def _anchors(arguments: argparse.Namespace) -> tuple[dict[str, str], bool]:
    """The keys that are known, with what they are known by; and whether they were named."""
    found: dict[str, str] = {}
    if arguments.key is not None:
        if not _KEY.fullmatch(arguments.key.lower()):
            raise Usage("--key is a public key of 64 hexadecimal digits")
        found[arguments.key.lower()] = "--key"
    if arguments.server is not None:
        found |= _keys_of(arguments.server)
    if found:
        return found, True
    return _pinned_keys(), False


def _keys_of(address: str) -> dict[str, str]:
    """The keys that a server publishes, with those before them that its statements vouch for."""
    from facedown.client.keys import trusted_keys
    from facedown.client.rest import RestClient

    server = RestClient(address)
    return dict.fromkeys(trusted_keys(server.keys(), ""), server.address)


def _pinned_keys() -> dict[str, str]:
    """The keys of the servers that a client on this computer has met."""
    try:
        from facedown.client.keys import SERVERS, KnownServers
    except ImportError:  # the extra for playing on servers is not installed: none was met
        return {}
    known = KnownServers(state_folder() / "heard" / SERVERS)
    return {key: address for address, key in known.keys.items()}


def _check(entry: RecordText, asked: _Asked) -> tuple[list[Finding], FacedownError | None]:
    findings: list[Finding] = []
    try:
        record = Record.read(entry.text)
        for finding in verify(record, asked.origin, asked.anchors, only=asked.only):
            findings.append(finding)
        if asked.memory is not None:
            findings.append(_memory_finding(record, asked.memory))
        findings += _log_findings(record, asked)
    except FacedownError as error:
        return findings, error
    return findings, None


def _log_findings(record: Record, asked: _Asked) -> Iterator[Finding]:
    """Whether the server's log of today continues that of the record, and whether a witness cosigned it."""
    proofs = None if record.fair is None else record.fair.log
    if asked.log is None or not isinstance(proofs, dict):
        return
    proof = LogProof.read(str(proofs["record"]))
    newest = asked.log.advance()
    asked.log.compare(proof.note, newest)
    yield history_finding(newest)
    if asked.witness is not None:
        yield witness_finding(newest, asked.witness, proof.index)


def _memory_finding(record: Record, kept: bytes) -> Finding:
    """Whether the record is what a seat's own client saw and did."""
    import msgspec

    from facedown.client.memory import SeatMemory, differences

    try:
        memory = msgspec.json.decode(kept, type=SeatMemory)
    except (msgspec.MsgspecError, ValueError):
        raise Unreadable("--memory: this is no memory of a seat") from None
    if memory.table != record.id:
        raise Unreadable(f"--memory: this is the memory of game {memory.table}, not of {record.id}")
    for alarm in differences(memory, record):
        raise NotVerified(f"the seat's own client saw or did something else ({alarm.kind})").at(
            decision=alarm.decision or None, seat=alarm.seat or None
        )
    return Finding("memory", True, message("verify.memory", seat=memory.seat))


def _code(findings: list[Finding], error: FacedownError | None) -> int:
    if error is not None:
        return FAILED if isinstance(error, Unreadable) else WRONG
    return DONE if verdict_of(findings) == PROVEN else UNPROVEN


def _judge(file: str, language: str, *, as_json: bool) -> int:
    """Check the evidence of an alarm."""
    judged = judge_evidence(read_file(file))
    verdict = {True: "contradiction", None: "testimony", False: "nothing"}[judged.contradicts]
    if as_json:
        print(_compact({"verdict": verdict, "say": translate(judged.say, ENGLISH)}))
    else:
        said = translate(message(f"verify.evidence.{verdict}"), language)
        print(f"{_mark(judged.contradicts)} {translate(judged.say, language)}\n{said}")
    return {True: DONE, None: UNPROVEN, False: WRONG}[judged.contradicts]


# --- output ----------------------------------------------------------------------------------------------


def _print(entry: RecordText, findings: list[Finding], error: FacedownError | None, language: str) -> None:
    """One line for each finding, and the verdict; for a file of many records, one line for each record."""
    if entry.line is None:
        for finding in findings:
            print(f"{_mark(finding.holds)} {finding.check}: {translate(finding.say, language)}")
        if not isinstance(error, Unreadable):
            print(_verdict(findings, error, language))
        return
    marks = [f"{_mark(finding.holds)} {finding.check}" for finding in findings]
    if error is not None:
        marks.append(f"✗ {error.code}")
    print(f"line {entry.line}: {'  '.join(marks)}")


def _verdict(findings: list[Finding], error: FacedownError | None, language: str) -> str:
    if error is not None:
        return translate(message("verify.false"), language)
    if verdict_of(findings) == PROVEN:
        return translate(message("verify.proven"), language)
    missing = ", ".join(finding.check for finding in findings if not finding.holds)
    return translate(message("verify.consistent", missing=missing), language)


def _mark(holds: bool | None) -> str:
    return "–" if holds is None else "✓" if holds else "✗"


def _as_json(findings: list[Finding], error: FacedownError | None) -> dict[str, Any]:
    verdict = verdict_of(findings) if error is None else "false"
    missing = [finding.check for finding in findings if not finding.holds]
    return {
        "verdict": "unreadable" if isinstance(error, Unreadable) else verdict,
        "missing": missing if verdict == CONSISTENT else [],
        "findings": [finding._asdict() for finding in in_language(findings, ENGLISH)],
        "error": None if error is None else error_as_json(error),
    }
