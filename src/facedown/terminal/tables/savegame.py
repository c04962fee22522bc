"""Save games on this machine: a file for each unfinished game, to which every pick is added before it counts.

A file is its owner's alone (0600), and what is face down cannot be read in it by looking; it is not a safe.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import asdict
from errno import EAGAIN
from pathlib import Path
from typing import Any, Final, NamedTuple

from facedown.core.errors import Unreadable
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.files import BINARY, lock_file
from facedown.terminal.paths import state_folder
from facedown.terminal.tables.spec import TableSpec

_FORMAT: Final = "facedown/unfinished/1"
_MOST: Final = 20
"""The most save games; the oldest are deleted."""


class UnreadableGame(Unreadable):
    """A file that holds no unfinished game of ours, or one that does not follow its rules."""

    code = "unreadable_game"


class SealedPick(NamedTuple):
    """A sealed pick, of a person or a bot."""

    seat: Seat
    pick: Pick


class SaveGame:
    """One unfinished game. The file is made with the first pick that is added."""

    def __init__(
        self, spec: TableSpec, path: Path | None = None, sealed: tuple[SealedPick, ...] = ()
    ) -> None:
        self.spec = spec
        self.path = path or _new_path()
        self.sealed = sealed
        """What was placed before it was left, in order."""
        self.failed: OSError | None = None
        """Why the latest pick is not on the disk; None while all is well."""
        self._file: int | None = None
        self._good = 0
        """How much of the file is whole."""
        self._waiting: list[str] = []

    @property
    def resumable(self) -> bool:
        """Whether there is a file from which the game can go on, if not with all of it."""
        return self._good > 0 and self.path.exists()

    def add(self, seat: Seat, pick: Pick, *, durable: bool) -> None:
        """Write a pick down; a durable one is on the disk when this returns, or `failed` says why not."""
        self._waiting.append(obscure(json.dumps([seat, pick])))
        if not durable:
            return
        try:
            self._write()
            self.failed = None
        except OSError as error:
            self.failed = error

    def forget(self) -> None:
        """The game is over: nothing of it is kept here any more."""
        self.close()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let others open the game."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def claim(self) -> None:
        """Take the file, so that no other process plays the same game; raises where one does."""
        if self._file is None:
            self._open()

    def _write(self) -> None:
        if self._file is None:
            self._open()
        assert self._file is not None, "it was opened"
        os.ftruncate(self._file, self._good)  # what a full disk cut off in the middle
        os.lseek(self._file, self._good, os.SEEK_SET)
        head = [] if self._good else [_head(self.spec)]
        text = "".join(f"{line}\n" for line in head + self._waiting).encode()
        written = 0
        while written < len(text):
            written += os.write(self._file, text[written:])
        os.fsync(self._file)
        self._good += len(text)
        self._waiting.clear()

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        known = self.path.exists()
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | BINARY | getattr(os, "O_CLOEXEC", 0), 0o600)
        if not lock_file(file):
            os.close(file)
            raise BlockingIOError(EAGAIN, "somebody is playing this game now")
        self._file = file
        self._good = _whole(os.read(file, os.fstat(file).st_size)) if known else 0
        if not known:
            _drop_oldest(self.path)


def read_savegame(path: Path) -> SaveGame:
    """The game of a file; raises `UnreadableGame`. A last line that was cut off counts for nothing."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UnreadableGame(f"cannot read {path}: {error.strerror}") from None
    lines = text[: _whole(text)].decode("utf-8", "replace").splitlines()
    try:
        spec = _spec(lines[0])
        sealed = tuple(SealedPick(*_pair(line)) for line in lines[1:])
    except (IndexError, ValueError, KeyError, TypeError):
        raise UnreadableGame(f"{path} holds no unfinished game") from None
    return SaveGame(spec, path, sealed)


def unfinished_games() -> Iterator[SaveGame]:
    """Save games that can be resumed, the latest first; not those that are open in another process."""
    for path in sorted(_games().glob("*.jsonl"), key=_age, reverse=True):
        try:
            if not _is_open(path):
                yield read_savegame(path)
        except (UnreadableGame, OSError):
            continue


# --- the form of the file --------------------------------------------------------------------------------


def obscure(text: str) -> str:
    """A text masked with a random salt: unreadable at a glance, not encrypted.

    >>> "CARD" in obscure("CARD"), reveal_text(obscure("CARD"))
    (False, 'CARD')
    """
    salt = secrets.token_bytes(16)
    return base64.b64encode(salt + _mask(text.encode(), salt)).decode()


def reveal_text(line: str) -> str:
    """What was folded; raises `ValueError`."""
    raw = base64.b64decode(line, validate=True)
    return _mask(raw[16:], raw[:16]).decode()


def _mask(text: bytes, salt: bytes) -> bytes:
    mask = hashlib.shake_128(salt).digest(len(text))
    return bytes(one ^ two for one, two in zip(text, mask, strict=True))


def _head(spec: TableSpec) -> str:
    fields = asdict(spec)
    seed = fields.pop("seed")
    return json.dumps({"format": _FORMAT, **fields, "deal": obscure(seed)}, ensure_ascii=False)


def _spec(line: str) -> TableSpec:
    fields: dict[str, Any] = json.loads(line)
    if fields.pop("format") != _FORMAT:
        raise ValueError
    seed = reveal_text(fields.pop("deal"))
    for name in ("names", "people", "machines"):
        fields[name] = tuple(fields[name])
    return TableSpec(**fields, seed=seed)


def _pair(line: str) -> tuple[Seat, Pick]:
    seat, pick = json.loads(reveal_text(line))
    return int(seat), str(pick)


def _whole(text: bytes) -> int:
    """Where the last whole line ends."""
    return text.rfind(b"\n") + 1


# --- the folder ------------------------------------------------------------------------------------------


def _games() -> Path:
    return state_folder() / "games"


def _new_path() -> Path:
    return _games() / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}.jsonl"


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _is_open(path: Path) -> bool:
    with open(path, "rb") as file:
        return not lock_file(file.fileno())


def _drop_oldest(new: Path) -> None:
    others = sorted((path for path in _games().glob("*.jsonl") if path != new), key=_age, reverse=True)
    for path in others[_MOST - 1 :]:
        if not _is_open(path):
            path.unlink(missing_ok=True)
