"""Records that callers hand in: objects; files with one, or one a line; folders; standard input (`-`).

Knows files and lines; `core.record` reads the records themselves.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path, PurePath
from stat import S_ISDIR
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

from facedown.core.errors import UnreadableRecord
from facedown.core.match import Match
from facedown.core.record import Record
from facedown.files import UnreadableFile, read_file, unreadable, writing
from facedown.library.arguments import BadArgument

_MOST_BYTES: Final = 64 * 1024 * 1024
"""More than any record has: what is longer is not read."""
_BY_LINE: Final = (".jsonl", ".ndjson")


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

    def records(self) -> Iterator[Record]:
        """Every record, read; raises `UnreadableRecord` with the file and the line of the first wrong one."""
        found = False
        for entry in self.entries:
            found = True
            try:
                yield Record.read(entry.text)
            except UnreadableRecord as error:
                raise UnreadableRecord(f"{self.name}: {error.message}").at(line=entry.line) from None
        if not found:
            raise self.nothing


RecordLike: TypeAlias = "Record | Match[Any, Any, Any] | str | PurePath"
"""A record: the object, the file that holds it, or the match that it is about."""


def read_record(record: object) -> Record:
    """The record that a caller handed in; raises `UnreadableFile` or `UnreadableRecord`."""
    if isinstance(record, Record):
        return record
    if isinstance(record, Match):
        return record.record()
    if isinstance(record, str | PurePath):
        return load(record)
    shown = repr(record)[:60]
    raise BadArgument(f"{shown} is no record, and no file with one", text=shown)


def load(path: str | PurePath) -> Record:
    """The record of a JSON file; raises `UnreadableFile` or `UnreadableRecord`.

    `records` reads files that hold many.
    """
    return Record.read(read_file(path))


def save(record: RecordLike, path: str | PurePath) -> None:
    """Write a record, or that of a match, into a file, whole or not at all; raises `UnwritableFile`.

    >>> import facedown
    >>> facedown.save(facedown.play("ecard", ["sage", "uniform"]), "game.json")  # doctest: +SKIP
    """
    whole = read_record(record)
    with writing(str(path)) as file:
        file.write(whole.write() + "\n")


def records(path: str | PurePath) -> Iterator[Record]:
    """The records of a file, one after the other: what `save` and the `write` of many games have written.

    The file holds one record, or one a line; a folder stands for all its `.json` and `.jsonl` files, by name.
    Raises `UnreadableFile`, or `UnreadableRecord` with the file and the line.

    >>> import facedown
    >>> facedown.play_many("ecard", ["sage", "uniform"], games=3).write("games.jsonl")  # doctest: +SKIP
    >>> for record in facedown.records("games.jsonl"):  # doctest: +SKIP
    ...     print(record.seats, record.result)
    """
    return chain.from_iterable(map(_of_file, _files(path)))


def each_record(given: RecordLike | Iterable[RecordLike]) -> Iterator[Record]:
    """The records that a caller handed in, one or many of them; a file may hold many."""
    if isinstance(given, Record | Match | str | PurePath):
        given = [given]
    try:
        many = iter(given)
    except TypeError:
        shown = repr(given)[:60]
        raise BadArgument(f"{shown} are no records", text=shown) from None
    return chain.from_iterable(map(_of_one, many))


def _of_one(given: RecordLike) -> Iterable[Record]:
    return records(given) if isinstance(given, str | PurePath) else (read_record(given),)


def _of_file(path: str) -> Iterator[Record]:
    with reading(path) as source:
        yield from source.records()


def _files(path: str | PurePath) -> list[str]:
    """The files that a path stands for; raises `UnreadableFile` if there are none."""
    if path == "-":
        return ["-"]
    try:
        is_folder = S_ISDIR(Path(path).stat().st_mode)
    except OSError as error:
        raise unreadable(str(path), error) from None
    except (TypeError, ValueError):
        raise UnreadableFile(f"cannot read {path!r:.80}: it is no file name", text=f"{path!r:.80}") from None
    if not is_folder:
        return [str(path)]
    found = sorted(str(file) for file in Path(path).iterdir() if file.suffix in (".json", *_BY_LINE))
    if not found:
        raise UnreadableFile(f"cannot read {path}: there is no .json or .jsonl file in it", text=str(path))
    return found


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
