"""Gauges of the computer that a server is on: its disk, its clock and the last backup."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from facedown.server.ops.metrics import Counts
from facedown.server.store.sqlite.backup import last_backup


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
