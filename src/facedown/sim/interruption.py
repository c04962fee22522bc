"""Ctrl-C during long computations: noticed at once, raised where nothing is half done.

Python raises it anywhere, also between two steps of a lock, which then fails in words of its own; and between
a result that was counted and the same result that was not written down yet.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interruption:
    """Whether Ctrl-C was pressed. The second press raises at once."""

    def __init__(self) -> None:
        self._came = False
        self._at_once = False

    @classmethod
    @contextmanager
    def hold(cls) -> Iterator[Interruption]:
        """Inside the `with` block Ctrl-C waits for `check`, unless the program has its own handler."""
        interruption = cls()
        ours = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if not ours:
            yield interruption
            return
        signal.signal(signal.SIGINT, interruption._on_signal)
        try:
            yield interruption
        finally:
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGINT, signal.default_int_handler)

    def check(self) -> None:
        """Raise it now, if it came."""
        if self._came:
            raise KeyboardInterrupt

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Inside the `with` block Ctrl-C raises as usual: the work may take long and can be dropped."""
        self._at_once = True
        try:
            self.check()
            yield
        finally:
            self._at_once = False

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._at_once or self._came:
            signal.default_int_handler(number, frame)
        self._came = True
