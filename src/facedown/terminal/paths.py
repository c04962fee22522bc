"""The state folder of the terminal: save games and credentials, in the local application data on Windows."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def state_folder() -> Path:
    """`$XDG_STATE_HOME/facedown`, or where that usually is."""
    named = os.environ.get("XDG_STATE_HOME", "") or (
        os.environ.get("LOCALAPPDATA", "") if os.name == "nt" else ""
    )
    return (Path(named) if os.path.isabs(named) else Path.home() / ".local/state") / "facedown"


def newest_first(files: Iterable[Path]) -> list[Path]:
    """The files, the latest changed first; one that is gone in the meantime comes last."""
    return sorted(files, key=change_time, reverse=True)


def change_time(path: Path) -> float:
    """When the file was changed last, in seconds since 1970; 0 if it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
