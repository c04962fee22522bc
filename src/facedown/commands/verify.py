"""`facedown verify`: checks everything that records claim, and names the first thing that does not hold."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from facedown.cli import DONE, FAILED
from facedown.cli.complaints import Complaints, complaint
from facedown.cli.errors import error_as_json
from facedown.core.errors import FacedownError
from facedown.core.record import Record
from facedown.core.replay import Finding
from facedown.core.text.translation import ENGLISH, in_language, translate
from facedown.library.record_files import RecordText, one_record, reading
from facedown.proof import verify
from facedown.proof.checks import PromiseChain, read_promises
from facedown.terminal.settings import chosen_language

_compact = json.JSONEncoder(separators=(",", ":")).encode


def run(arguments: argparse.Namespace) -> int:
    """Check every record of the source."""
    origin = None if arguments.origin is None else one_record(arguments.origin)
    promises = None if arguments.promises is None else read_promises(Path(arguments.promises))
    language = chosen_language(arguments.language)
    with reading(arguments.record) as source:
        complaints = Complaints(source)
        for entry in source.entries:
            findings, error = _check(entry, origin, promises)
            complaints.add(None if error is None else complaint(error, entry.line))
            if arguments.json:
                print(_compact(_as_json(findings, error)))
            else:
                _print(entry, findings, error, language)
            if complaints.hopeless:
                break
        sys.stdout.flush()
        return DONE if complaints.close() else FAILED


def _check(
    entry: RecordText, origin: Record | None, promises: PromiseChain | None
) -> tuple[list[Finding], FacedownError | None]:
    findings: list[Finding] = []
    try:
        record = Record.read(entry.text)
        for finding in verify(record, origin):
            findings.append(finding)
        if promises is not None:
            findings.append(promises.finding(record))
    except FacedownError as error:
        return findings, error
    return findings, None


def _print(entry: RecordText, findings: list[Finding], error: FacedownError | None, language: str) -> None:
    """One line for each finding; for a file of many records, one line for each record."""
    if entry.line is None:
        for finding in findings:
            print(f"{_mark(finding.holds)} {finding.check}: {translate(finding.say, language)}")
        return
    marks = [f"{_mark(finding.holds)} {finding.check}" for finding in findings]
    if error is not None:
        marks.append(f"✗ {error.code}")
    print(f"line {entry.line}: {'  '.join(marks)}")


def _mark(holds: bool | None) -> str:
    return "–" if holds is None else "✓" if holds else "✗"


def _as_json(findings: list[Finding], error: FacedownError | None) -> dict[str, Any]:
    return {
        "holds": error is None,
        "findings": [finding._asdict() for finding in in_language(findings, ENGLISH)],
        "error": None if error is None else error_as_json(error),
    }
