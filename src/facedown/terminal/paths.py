"""XDG paths of the terminal: the config folder (settings), the state folder (save games, credentials).

On Windows both are in the local application data.
"""

from __future__ import annotations

import os
from pathlib import Path


def config_folder() -> Path:
    """`$XDG_CONFIG_HOME/facedown`, or where that usually is."""
    return _home("XDG_CONFIG_HOME", ".config") / "facedown"


def settings_file() -> Path:
    """The file of the settings."""
    return config_folder() / "settings.json"


def state_folder() -> Path:
    """`$XDG_STATE_HOME/facedown`, or where that usually is."""
    return _home("XDG_STATE_HOME", ".local/state") / "facedown"


def _home(variable: str, usual: str) -> Path:
    named = os.environ.get(variable, "") or (os.environ.get("LOCALAPPDATA", "") if os.name == "nt" else "")
    if os.path.isabs(named):
        return Path(named)
    return Path(os.path.expanduser("~")) / usual
