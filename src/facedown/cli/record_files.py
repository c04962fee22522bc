"""Record files: one record, or one a line, from a file or from standard input (`-`).

Knows files and lines; `core.record` reads the records themselves.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from facedown.core.errors import FacedownError, UnreadableRecord
from facedown.core.record import Record
from facedown.files import UnreadableFile, unreadable

_MOST_BYTES: Final = 64 * 1024 * 1024
"""More than any record has: what is longer is not read."""
_BY_LINE: Final = (".jsonl", ".ndjson")
_COMPLAINTS: Final = 10
"""The most wrong lines that are listed; the rest are counted."""
_HOPELESS: Final = 1000
"""Lines without a single record after which a file is taken for something else."""


class RecordText(NamedTuple):
    """The text of one record; its line number if there is one record a line."""

    text: bytes
    line: int | None


@dataclass(frozen=True, slots=True)
class RecordSource:
    """Records to be read, one after the other."""

    name: str
    """What it is called in messages."""
    by_line: bool
    entries: Iterator[RecordText]

    @property
    def nothing(self) -> UnreadableRecord:
        return UnreadableRecord(f"{self.name}: not a record: there is nothing in it")


@contextmanager
def reading(path: str) -> Iterator[RecordSource]:
    """The records of a file: one a line in `.jsonl` files, and in others whose lines are whole records."""
    name = "standard input" if path == "-" else path
    with ExitStack() as stack:
        try:
            stream = _standard_input() if path == "-" else stack.enter_context(open(path, "rb"))
            if path.endswith(_BY_LINE):
                source = RecordSource(name, True, _entries(name, stream))
            else:
                source = _by_content(name, stream, patient=path != "-")
        except OSError as error:
            raise unreadable(name, error) from None
        yield source


def one_record(path: str) -> Record:
    """The record of a file that holds exactly one; raises `UnreadableRecord` otherwise."""
    with reading(path) as source:
        entries = tuple(islice(source.entries, 2))
    if not entries:
        raise source.nothing
    if len(entries) > 1:
        raise UnreadableRecord(f"{source.name}: several records, one a line, where one is needed")
    return Record.read(entries[0].text)


def _by_content(name: str, stream: BinaryIO, *, patient: bool) -> RecordSource:
    """Decide by the first two lines; an impatient reader does not wait for the second after a whole one."""
    head = _head(stream)
    if patient or not _has_whole(head):
        more = _head(stream)
        single = not any(line.strip() for line in more)
        head += more
    else:
        single = False
    if not single and _has_whole(head):
        return RecordSource(name, True, _entries(name, chain(head, stream)))
    text = b"".join(head) + stream.read(_MOST_BYTES + 1)
    source = RecordSource(name, False, iter([RecordText(text, None)]))
    if not text.strip():
        raise source.nothing
    _check_size(name, text)
    return source


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise UnreadableFile("standard input is closed")
    return sys.stdin.buffer


def _head(stream: BinaryIO) -> list[bytes]:
    """The next line with something in it, and the empty ones before it."""
    lines = []
    while line := stream.readline(_MOST_BYTES + 1):
        lines.append(line)
        if line.strip():
            break
    return lines


def _has_whole(lines: list[bytes]) -> bool:
    return any(map(_is_whole, lines))


def _is_whole(line: bytes) -> bool:
    line = line.strip()
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _entries(name: str, lines: Iterable[bytes]) -> Iterator[RecordText]:
    numbered = enumerate(lines, 1)
    while True:
        try:
            number, line = next(numbered)
        except StopIteration:
            return
        except OSError as error:
            raise unreadable(name, error) from None
        if line.strip():
            _check_size(name, line)
            yield RecordText(line.strip(), number)


def _check_size(name: str, text: bytes) -> None:
    if len(text) > _MOST_BYTES:
        raise UnreadableRecord(f"{name}: not a record: longer than {_MOST_BYTES} bytes")


# --- what was wrong with them ----------------------------------------------------------------------------


Complaint: TypeAlias = tuple[str, str]
"""The code of an error, and its text with its line."""


class Complaints:
    """What is wrong with some of many records: the first errors are printed in full, the rest counted."""

    def __init__(self, source: RecordSource) -> None:
        self._source = source
        self._errors: list[str] = []
        self._wrong = 0
        self._all = 0

    def add(self, wrong: Complaint | None) -> None:
        """Count a record, with what is wrong with it."""
        self._all += 1
        if wrong is None:
            return
        self._wrong += 1
        if self._wrong <= _COMPLAINTS:
            code, text = wrong
            self._errors.append(f"{code}: {self._source.name}: {text}")

    @property
    def hopeless(self) -> bool:
        """Whether this cannot be a file of records: many lines, and all of them wrong."""
        return self._wrong == self._all >= _HOPELESS

    def close(self) -> bool:
        """Print what was wrong to standard error; whether nothing was."""
        for line in self._summary():
            print(f"facedown: {line}", file=sys.stderr)
        return 0 == self._wrong < self._all

    def _summary(self) -> list[str]:
        if self._all == 0:
            return [f"{UnreadableRecord.code}: {self._source.nothing.message}"]
        if self._wrong == self._all > 1:
            return [f"{self._errors[0]}; and not one of {self._all} lines is right"]
        if self._wrong > len(self._errors):
            count = f"{self._wrong} of {self._all} lines are wrong"
            return [*self._errors, f"{UnreadableRecord.code}: {self._source.name}: {count}"]
        return self._errors


def complaint(error: FacedownError, line: int | None) -> Complaint:
    """What is wrong with the record on that line."""
    return error.code, str(error.at(line=line))
