"""Streaks of the trainer on this computer: by game how many answers in a row were right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

from facedown.files import replace_file
from facedown.terminal.paths import state_folder

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
