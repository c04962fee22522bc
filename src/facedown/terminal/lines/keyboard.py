"""Keyboard input with a timeout: lines from a terminal or a pipe, so that news can be shown meanwhile."""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress
from typing import Final, TextIO

_MOST: Final = 65_536
"""Bytes that one line may have; more are cut into lines."""


class Keyboard:
    """Reads a file descriptor itself, because what a text stream has buffered cannot be waited for."""

    def __init__(self, stream: TextIO) -> None:
        """Raises `OSError` where the stream is no file that can be waited for."""
        if sys.platform == "win32":
            raise OSError("only sockets can be waited for on this system")
        self._file = stream.fileno()
        self._encoding = getattr(stream, "encoding", None) or "utf-8"
        self._pending = b""
        self._ended = False

    def line(self, seconds: float) -> str | None:
        """A line without its end; None where there was none so long. Raises `EOFError` after the last."""
        if b"\n" not in self._pending and not self._ended and select.select([self._file], [], [], seconds)[0]:
            read = os.read(self._file, _MOST)
            self._pending += read
            self._ended = not read
        if b"\n" not in self._pending and len(self._pending) < _MOST:
            if not self._ended:
                return None
            if not self._pending:
                raise EOFError
        line, _, self._pending = self._pending.partition(b"\n")
        return line.decode(self._encoding, "replace").rstrip("\r")

    def forget(self) -> None:
        """Drop what was typed so far: it was meant for a question that is out of date."""
        if not os.isatty(self._file):
            return
        self._pending = b""
        with suppress(ImportError):
            import termios

            with suppress(termios.error):
                termios.tcflush(self._file, termios.TCIFLUSH)
