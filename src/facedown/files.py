"""Atomic file writing, and file locks: a file gets its name once it is whole and on disk, or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Final, TextIO

from facedown.core.errors import FacedownError, Unreadable


class UnreadableFile(Unreadable):
    """A file that cannot be opened or read."""

    code = "unreadable_file"


class UnwritableFile(FacedownError):
    """A file that cannot be written."""

    code = "unwritable_file"


def reason(error: OSError) -> str:
    """The operating system's message, in lower case, as the end of a sentence.

    >>> reason(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    return (error.strerror or type(error).__name__).lower()


def unreadable(name: str, error: OSError) -> UnreadableFile:
    """The error about a file that the operating system cannot read."""
    return UnreadableFile(f"cannot read {name}: {reason(error)}", text=name)


# --- files that people name ------------------------------------------------------------------------------


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file that a person has named; raises `UnreadableFile`."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise unreadable(str(path), error) from None
    except (TypeError, ValueError):
        raise UnreadableFile(f"cannot read {str(path)[:80]!r}: it is no file name", text=str(path)) from None


def check_writable(path: str) -> None:
    """Raise `UnwritableFile` if a file could not be written, before a game rather than after it."""
    target = Path(path)
    if "\0" in path:
        raise UnwritableFile(f"cannot write {path[:80]!r}: it is no file name", text=path)
    if not path:
        raise UnwritableFile("a file name is needed to write to, and this one is empty")
    if target.is_dir():
        raise UnwritableFile(f"cannot write {path}: it is a directory", text=path)
    if not target.absolute().parent.is_dir():
        raise UnwritableFile(f"cannot write {path}: there is no directory {target.parent}", text=path)
    writes = target if target.exists() and not target.is_file() else target.absolute().parent
    if not os.access(writes, os.W_OK):
        raise UnwritableFile(f"cannot write {path}: permission denied", text=path)


@contextmanager
def naming_errors(path: str) -> Iterator[None]:
    """Raise `UnwritableFile` with the name of the file for any error of the operating system."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UnwritableFile(f"cannot write {path}: {reason(error)}", text=path) from None


@contextmanager
def replacing(path: str) -> Iterator[str]:
    """The name of a file for a library to write, which then replaces its target; raises `UnwritableFile`."""
    check_writable(path)
    target = Path(path).resolve()
    with naming_errors(path), partial_file(target) as part:
        yield str(part)
        _sync(part, os.O_RDWR | BINARY)
        os.replace(part, target)


@contextmanager
def writing(path: str) -> Iterator[TextIO]:
    """A text file that replaces its target at the end, or a device or pipe; raises `UnwritableFile`."""
    check_writable(path)
    if Path(path).exists() and not Path(path).is_file():
        with naming_errors(path), open(path, "w", encoding="utf-8") as device:
            yield device
        return
    with replacing(path) as part, open(_create(Path(part), 0o666), "w", encoding="utf-8") as file:
        yield file


# --- files of our own ------------------------------------------------------------------------------------


def replace_file(target: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Write a whole file in place of what has its name; raises `OSError`, and then nothing has changed."""
    with partial_file(target) as part:
        with open(_create(part, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)


def publish_file(part: Path, target: Path) -> None:
    """Give a finished file its name, durably; raises `FileExistsError` if the name is taken by now."""
    _sync(part, os.O_RDWR | BINARY)
    try:
        os.link(part, target)  # unlike a rename, fails if the name is taken
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if target.exists():
            raise FileExistsError(f"{target} exists already") from None
        part.rename(target)
    sync_directory(target.parent)


@contextmanager
def partial_file(target: Path) -> Iterator[Path]:
    """The name of an unfinished file beside its target; it is gone afterwards, unless it was renamed."""
    part = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def _create(part: Path, mode: int) -> int:
    """Open a new file with this mode; one that a killed process has left is removed first."""
    part.unlink(missing_ok=True)
    return os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode)


def sync_directory(folder: Path) -> None:
    """Sync a directory, so that a new name in it survives a power cut; does nothing on Windows."""
    if sys.platform != "win32":
        _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    opened = os.open(path, flags)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


# --- locks -----------------------------------------------------------------------------------------------

BINARY: Final[int] = getattr(os, "O_BINARY", 0)
"""For `os.open`: without it Windows changes the ends of lines."""
_FAR: Final = 1 << 30
"""The byte that is locked on Windows: others cannot read what is locked, and nothing stands there."""


def lock_file(file: int) -> bool:
    """Take an open file for this process until it is closed or the process ends; whether that could be done.

    Where the system has no locks at all, everybody gets the file.
    """
    try:
        locks = import_module("fcntl")
    except ImportError:
        return _lock_byte(file)
    try:
        locks.flock(file, locks.LOCK_EX | locks.LOCK_NB)
    except OSError:
        return False
    return True


def _lock_byte(file: int) -> bool:
    try:
        locks = import_module("msvcrt")
    except ImportError:
        return True
    here = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, _FAR, os.SEEK_SET)
    try:
        locks.locking(file, locks.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        os.lseek(file, here, os.SEEK_SET)
    return True
