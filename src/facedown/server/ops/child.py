"""A server process under a supervisor: its part, and its signs of life."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

CHILD: Final = "FACEDOWN_CHILD"
"""The variable that holds the part of a server process, set by its supervisor."""

SIGN_S: Final = 1.0
"""Seconds between the signs of life of a supervised process."""
STARTING: Final = b"0"
SERVING: Final = b"1"
"""Signs of life of a process that does not serve yet, and of one that does."""


class ChildPart(NamedTuple):
    """The part of one of several server processes: the socket to listen on, the pipe for its signs of life,
    and the operator's token that they share."""

    listening: int
    signs: int
    life: int
    """A pipe that ends when the supervisor is gone."""
    operator: str
    number: int
    """From 1 up; a process that replaces another has the same."""
    folder: Path
    """Holds the sockets by which the processes ask each other for their metrics."""

    def to_text(self) -> str:
        return " ".join(map(str, self))

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> ChildPart | None:
        """The part of this process; None if it has no supervisor."""
        if not environ.get(CHILD):
            return None
        listening, signs, life, operator, number, folder = environ[CHILD].split(" ", 5)
        return cls(int(listening), int(signs), int(life), operator, int(number), Path(folder))


class SignsOfLife:
    """The signs of life of a supervised process, sent by its event loop: a blocked loop sends none."""

    def __init__(self, pipe: int) -> None:
        os.set_blocking(pipe, False)
        self._pipe = pipe
        self._sign = STARTING
        self._repeat()

    def serve(self) -> None:
        self._sign = SERVING
        self._send()

    def _send(self) -> None:
        with suppress(OSError):  # the supervisor is gone, or has not read the last thousands of them
            os.write(self._pipe, self._sign)

    def _repeat(self) -> None:
        self._send()
        asyncio.get_running_loop().call_later(SIGN_S, self._repeat)
