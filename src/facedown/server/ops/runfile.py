"""The run file (`server.json`) in the data folder of a running server: its address and the operator's token.

Readable by its owner only. Removed at a clean shutdown; a server that was killed leaves it behind.
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


class RunFile(Struct, frozen=True):
    """The content of the run file."""

    address: str
    token: str
    pid: int
    certificate: str = ""
    """The file of its TLS certificate; empty without TLS."""


def write_runfile(data: Path, content: RunFile) -> None:
    """Write the run file, atomically; a server whose store is elsewhere keeps nothing else there."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(data / FILE, msgspec.json.encode(content), mode=0o600)


def remove_runfile(data: Path, token: str) -> None:
    """Remove the run file at shutdown, unless another server has written its own."""
    with contextlib.suppress(NotRunning):
        if read_runfile(data).token == token:
            (data / FILE).unlink(missing_ok=True)


def read_runfile(data: Path) -> RunFile:
    """The run file of this data folder; raises `NotRunning`."""
    try:
        return msgspec.json.decode((data / FILE).read_bytes(), type=RunFile)
    except FileNotFoundError:
        raise NotRunning(f"no server runs on {data}: `facedown serve --data {data}` starts one") from None
    except PermissionError:
        raise NotRunning(f"{data / FILE} can only be read by the user who runs the server") from None
    except (msgspec.MsgspecError, OSError):
        raise NotRunning(f"{data / FILE} cannot be read") from None
