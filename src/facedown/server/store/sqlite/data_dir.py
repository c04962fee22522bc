"""The data directory: file names, permissions, and the lock against a second server. Opens no database."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import ClassVar, Final

from facedown.core.errors import FacedownError
from facedown.files import BINARY, lock_file, sync_directory
from facedown.server.store.failures import StoreFailed

DATABASE: Final = "facedown.sqlite"
LOCK: Final = "lock"


class DataInUse(FacedownError):
    """Another server has locked the data directory."""

    code = "data_in_use"
    status: ClassVar[int] = 503


class DataDirectory:
    """A data directory, locked until `close`: mode 0700, its files 0600."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = folder / DATABASE
        try:
            _make_folder(folder)
            self._locks = _lock(folder)
            _make_file(self.database)
            sync_directory(folder)
        except OSError as error:
            raise StoreFailed(f"the data directory {folder} cannot be used: {error.strerror}") from error

    def close(self) -> None:
        for lock in self._locks:
            os.close(lock)
        self._locks = ()


def _make_folder(folder: Path) -> None:
    """Create it, private if it is new or empty; a directory with files keeps its permissions."""
    new = not folder.exists()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if new:
        sync_directory(folder.parent)
    if not any(folder.iterdir()):
        with contextlib.suppress(PermissionError):  # a mounted volume may belong to another user
            folder.chmod(0o700)


def _lock(folder: Path) -> tuple[int, ...]:
    """Lock the lock file and the folder itself; the system releases both when the process ends.

    The file names the process; the folder is locked as well because a file can be deleted.
    """
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | BINARY, 0o600)
    whole = _open_folder(folder)
    if not all(lock_file(each) for each in (*whole, lock)):
        holder = os.read(lock, 32).decode("ascii", "replace").strip()
        for each in (*whole, lock):
            os.close(each)
        who = f" (process {holder})" if holder else ""
        raise DataInUse(f"another server{who} uses the data directory {folder}")
    os.ftruncate(lock, 0)
    os.write(lock, f"{os.getpid()}\n".encode())
    return (lock, *whole)


def _open_folder(folder: Path) -> tuple[int, ...]:
    """The folder as an open file. Windows cannot open one, but keeps an open lock file from being deleted."""
    return () if os.name == "nt" else (os.open(folder, os.O_RDONLY),)


def _make_file(path: Path) -> None:
    """Create the database as a private file before SQLite opens it: its log files inherit the permissions."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with contextlib.suppress(FileNotFoundError, PermissionError):
            each.chmod(0o600)
