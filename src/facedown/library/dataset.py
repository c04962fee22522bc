"""Datasets: the games of a month in a folder, with checksums and the signature of the server.

`manifest.json` names all other files and their SHA-256; for each game there are `games-NAME.jsonl`, a record
a line with the day and the bands of ratings, and `decisions-NAME.parquet`, a row a decision (with the extra
`parquet`). The manifest is signed with the server's key and holds a signed head of its public log.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path, PurePath
from typing import Any, Final, NamedTuple, TextIO

from facedown.core.errors import NotVerified, Unreadable, missing_extra
from facedown.core.record import Record, signed_digest
from facedown.files import read_file, replace_file
from facedown.library.arguments import BadArgument
from facedown.library.decisions import Row, record_rows, write_rows
from facedown.proof.log import signer_of
from facedown.proof.signatures import can_sign, is_signed

FORMAT: Final = "facedown/dataset/1"
MANIFEST: Final = "manifest.json"
LICENSE: Final = "CC0-1.0"
_FILE: Final = re.compile(r"(?:games-([a-z][a-z0-9_]*)\.jsonl)|(?:decisions-([a-z][a-z0-9_]*)\.parquet)")
_KEY: Final = re.compile(r"[0-9a-f]{64}")


class DatasetGame(NamedTuple):
    """A game of a dataset: its record, the day (UTC) on which it ended, the band of each seat's rating."""

    record: Record
    day: str
    bands: tuple[str, ...]


class Dataset:
    """The games of a month, read from a folder whose files are those of its manifest."""

    def __init__(self, folder: Path, manifest: Mapping[str, Any], signed_by: str | None) -> None:
        self.folder = folder
        self.month: str = manifest["month"]
        self.made_by: str = manifest["made_by"]
        """`people`, or `machines` in a sample."""
        self.counts: dict[str, int] = manifest["games"]
        """How many games there are, by the name of the game."""
        self.signed_by = signed_by
        """The public key of the server that signed it; None if no one did."""
        self.checkpoint: str = manifest["checkpoint"]
        """A signed head of the server's public log; empty if there is none."""

    def games(self, game: str | None = None) -> Iterator[DatasetGame]:
        """All games, or those of one game, one after the other.

        >>> import facedown
        >>> month = facedown.dataset("examples/sample-dataset")  # doctest: +SKIP
        >>> next(month.games("ecard")).day  # doctest: +SKIP
        '2026-10-01'
        """
        for name in self.counts if game is None else (self._check(game),):
            with (self.folder / f"games-{name}.jsonl").open(encoding="utf-8") as lines:
                yield from map(_read_game, lines)

    def decisions(self, game: str, *, encoding: bool = False) -> Iterator[Row]:
        """The rows of `facedown.decisions` for all games of this name, with `day` and `band` added."""
        for number, found in enumerate(self.games(game), 1):
            for row in record_rows(found.record, number, encoding):
                yield row | {"day": found.day, "band": found.bands[int(row["seat"] or 0) - 1]}

    def _check(self, game: str) -> str:
        if game not in self.counts:
            raise BadArgument(f"there is no {game!r:.40} in it: there is {', '.join(self.counts)}", text=game)
        return game

    def __repr__(self) -> str:
        return f"facedown.dataset({str(self.folder)!r})"

    def __str__(self) -> str:
        counts = ", ".join(f"{count:,} of {name}" for name, count in self.counts.items())
        return f"{self.month}, games of {self.made_by}: {counts or 'none'}"


def dataset(path: str | PurePath, *, key: str | None = None) -> Dataset:
    """The games of a month that `facedown dump` has written, after all its files were checked.

    Raises `NotVerified` if a file was changed or is missing, if games of people are not signed, or if they
    are signed by another key than `key`: a server publishes its own at `/.well-known/facedown.json`.
    """
    folder = Path(path)
    try:
        manifest = json.loads(read_file(folder / MANIFEST))
        files = {_file_name(name): str(sum) for name, sum in manifest["files"].items()}
        counts = {str(name): int(count) for name, count in manifest["games"].items()}
        manifest |= {name: str(manifest[name]) for name in ("month", "made_by", "checkpoint")}
        is_ours = manifest["format"] == FORMAT and {f"games-{name}.jsonl" for name in counts} <= files.keys()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        is_ours = False
    if not is_ours:
        raise Unreadable(f"{path}: {MANIFEST} is not that of a dataset of {FORMAT}", text=str(path))
    signed_by = _signer(manifest, key)
    for name, sum in files.items():
        if _sum_of(folder / name) != sum:
            raise NotVerified(f"{folder / name} is not the file that {MANIFEST} names", text=name)
    return Dataset(folder, {**manifest, "games": counts}, signed_by)


def _file_name(name: str) -> str:
    """A name of a file in the folder itself, as `DatasetWriter` gives it."""
    if not _FILE.fullmatch(name):
        raise ValueError(name)
    return name


def _signer(manifest: dict[str, Any], key: str | None) -> str | None:
    """The key that signed a manifest; raises `NotVerified` if that is not the one that has to."""
    mark = manifest.get("signed")
    if mark is None:
        if key is not None or manifest["made_by"] != "machines":
            raise NotVerified("the dataset is not signed, and only samples of machines' games may not be")
        return None
    if not can_sign():
        raise missing_extra("checking a signature needs", "server")
    try:
        found, signature = str(mark["key"]), bytes.fromhex(mark["signature"])
    except (ValueError, KeyError, TypeError):
        raise NotVerified("the signature of the dataset cannot be read") from None
    if not _KEY.fullmatch(found) or not is_signed(found, signed_digest(manifest), signature):
        raise NotVerified("the signature of the dataset does not hold: its manifest was changed")
    if signer_of(manifest["checkpoint"], [found]) != found:
        raise NotVerified("the head of the public log is signed by another key than the dataset")
    if key not in (None, found):
        raise NotVerified(f"the dataset is signed by {found[:16]}…, not by {str(key)[:16]}…")
    return found


def _read_game(line: str) -> DatasetGame:
    whole = json.loads(line)
    return DatasetGame(Record.read(line), whole["day"], tuple(whole["bands"]))


def _sum_of(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return ""


# --- writing ---------------------------------------------------------------------------------------------


class DatasetWriter:
    """Writes a dataset into an empty folder; it is none before `finish` has written the manifest."""

    def __init__(self, folder: Path, month: str, made_by: str = "people") -> None:
        self._folder = folder
        self._about = {"format": FORMAT, "month": month, "made_by": made_by, "license": LICENSE}
        self._counts = Counter[str]()
        self._files: dict[str, TextIO] = {}
        self._open = ExitStack()

    def add(self, record: Record, day: str, bands: tuple[str, ...]) -> None:
        """Write a game."""
        name = record.game
        if name not in self._files:
            path = self._folder / f"games-{name}.jsonl"
            self._files[name] = self._open.enter_context(path.open("x", encoding="utf-8", newline="\n"))
        line = {**json.loads(record.write()), "day": day, "bands": bands}
        self._files[name].write(json.dumps(line, ensure_ascii=False) + "\n")
        self._counts[name] += 1

    def finish(
        self, checkpoint: str = "", sign: Callable[[str], str] = lambda text: text, *, parquet: bool = True
    ) -> dict[str, int]:
        """Write the tables of decisions and the manifest; how many games there are, by name."""
        self._open.close()
        counts = dict(sorted(self._counts.items()))
        about = {**self._about, "games": counts, "checkpoint": checkpoint}
        written = Dataset(self._folder, about, None)
        for name in counts if parquet else ():
            write_rows(written.decisions(name), str(self._folder / f"decisions-{name}.parquet"))
        about["files"] = {file.name: _sum_of(file) for file in sorted(self._folder.iterdir())}
        replace_file(self._folder / MANIFEST, (sign(json.dumps(about)) + "\n").encode())
        return counts

    def close(self) -> None:
        self._open.close()
