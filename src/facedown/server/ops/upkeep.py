"""What an operator changes while a server runs: the announcement, sign-up, backups; and the disk it is on."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path
from typing import Final

import msgspec

from facedown.core.errors import NotNow, Unsupported
from facedown.protocol.console import Announcement, BackupDone
from facedown.server.clock import now
from facedown.server.ops.metrics import Counts
from facedown.server.store.base import Store
from facedown.server.store.sqlite.backup import backup, last_backup

ANNOUNCEMENT: Final = "announcement"
SIGN_UP: Final = "sign_up"
FOLDER: Final = "backups"
_KEPT: Final = 5
"""How many backups of the console are kept."""


def upkeep_counts(data: Path, *, shared: bool) -> Counts:
    """Gauges of the disk, the clock and the last backup; a shared store is backed up by its own tools."""
    disk = shutil.disk_usage(_existing(data))
    gauges: list[tuple[str, str, float]] = [
        ("disk_free_bytes", "Free space on the disk of the data folder.", disk.free),
        ("disk_bytes", "Size of the disk of the data folder.", disk.total),
        ("clock_seconds", "This computer's clock, to be compared with that of Prometheus.", time.time()),
    ]
    if not shared:
        gauges.append(("backup_timestamp_seconds", "When the last backup was written.", last_backup(data)))
    return Counts((), tuple(gauges))


def _existing(folder: Path) -> Path:
    return next(each for each in (folder, *folder.parents) if each.exists())


class Upkeep:
    """Announcement, sign-up and backups of one store."""

    def __init__(self, store: Store, data: Path) -> None:
        self._store = store
        self._data = data
        self._backing_up = asyncio.Lock()

    @property
    def disk(self) -> tuple[int, int]:
        """The free and all bytes of the disk of the data folder."""
        usage = shutil.disk_usage(_existing(self._data))
        return usage.free, usage.total

    @property
    def backup_at(self) -> int:
        return int(last_backup(self._data) * 1000)

    async def announcement(self) -> Announcement | None:
        """The announcement that everyone sees now."""
        written = await self._store.get_value(ANNOUNCEMENT)
        found = None if not written else msgspec.json.decode(written, type=Announcement)
        return None if found is None or 0 < found.until <= now() else found

    async def announce(self, text: str, until: int) -> None:
        written = msgspec.json.encode(Announcement(text, until)) if text else b""
        await self._store.set_value(ANNOUNCEMENT, written)

    async def set_sign_up(self, sign_up: str) -> None:
        await self._store.set_value(SIGN_UP, sign_up.encode())

    async def back_up(self) -> BackupDone:
        """Write a backup into the data folder; the oldest of the console's are deleted."""
        if self._store.shared:
            raise Unsupported("a database of PostgreSQL is copied by its own tools: pg_dump")
        if self._backing_up.locked():
            raise NotNow("a backup is being written")
        folder = self._data / FOLDER
        target = folder / time.strftime("%Y-%m-%d-%H%M%S.sqlite", time.gmtime())
        async with self._backing_up:
            folder.mkdir(mode=0o700, exist_ok=True)
            await asyncio.to_thread(backup, self._data, target)
        for old in sorted(folder.glob("*.sqlite"))[:-_KEPT]:
            old.unlink(missing_ok=True)
        return BackupDone(f"{FOLDER}/{target.name}", target.stat().st_size)
