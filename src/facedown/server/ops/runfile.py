"""The note that a running server leaves in its data folder: where it is, and the operator's token.

Readable by its owner only. It is gone when the server went down gently; one that was killed leaves it behind.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from facedown.core.errors import FacedownError
from facedown.files import replace_file

FILE: Final = "server.json"


class NotRunning(FacedownError):
    """No server runs on this data folder."""

    code = "not_running"


class Running(Struct, frozen=True):
    """A server that runs."""

    address: str
    token: str
    pid: int


def leave_note(data: Path, note: Running) -> None:
    """Say where the server is; whole or not at all."""
    replace_file(data / FILE, msgspec.json.encode(note), mode=0o600)


def take_note_away(data: Path, note: Running) -> None:
    """The server is going down; another one's note stays."""
    with contextlib.suppress(NotRunning):
        if read_note(data) == note:
            (data / FILE).unlink(missing_ok=True)


def read_note(data: Path) -> Running:
    """Where the server of this data folder is; raises `NotRunning`."""
    try:
        return msgspec.json.decode((data / FILE).read_bytes(), type=Running)
    except FileNotFoundError:
        raise NotRunning(f"no server runs on {data}: `facedown serve --data {data}` starts one") from None
    except PermissionError:
        raise NotRunning(f"{data / FILE} can only be read by whoever runs the server") from None
    except (msgspec.MsgspecError, OSError):
        raise NotRunning(f"{data / FILE} cannot be read") from None
