"""XDG paths of the terminal: the config folder (settings), the state folder (save games, credentials).

On Windows both are in the local application data.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from facedown.files import replace_file


def settings_file() -> Path:
    """The file of the settings: `$XDG_CONFIG_HOME/facedown/settings.json`, or where that usually is."""
    return _home("XDG_CONFIG_HOME", ".config") / "facedown" / "settings.json"


def state_folder() -> Path:
    """`$XDG_STATE_HOME/facedown`, or where that usually is."""
    return _home("XDG_STATE_HOME", ".local/state") / "facedown"


def newest_first(files: Iterable[Path]) -> list[Path]:
    """The files, the latest changed first; one that is gone in the meantime comes last."""
    return sorted(files, key=change_time, reverse=True)


def change_time(path: Path) -> float:
    """When the file was changed last, in seconds since 1970; 0 if it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _home(variable: str, usual: str) -> Path:
    named = os.environ.get(variable, "") or (os.environ.get("LOCALAPPDATA", "") if os.name == "nt" else "")
    if os.path.isabs(named):
        return Path(named)
    return Path(os.path.expanduser("~")) / usual


Streaks: TypeAlias = "dict[str, tuple[int, int]]"
"""By game: the streak now, and the longest."""


def _file() -> Path:
    return state_folder() / "streaks.json"


def read_streaks() -> Streaks:
    """The streaks as they were left; none where they cannot be read."""
    try:
        kept = json.loads(_file().read_text(encoding="utf-8"))
        return {str(game): (int(now), int(most)) for game, (now, most) in kept.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}


def write_streaks(streaks: Streaks) -> None:
    """Keep them, where the folder can be written: a streak is no reason to stop."""
    try:
        _file().parent.mkdir(parents=True, exist_ok=True)
        replace_file(_file(), f"{json.dumps(streaks, sort_keys=True)}\n".encode())
    except OSError:
        return
