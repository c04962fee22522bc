"""A real server whose system's clock is set by a test."""

from __future__ import annotations

from pathlib import Path

from tests.server.running import Server

_JUMPING = """
import time
real_ns = time.time_ns
def jumped():
    with open({path!r}) as file:
        return int(file.read() or 0)
time.time_ns = lambda: real_ns() + jumped() * 1_000_000_000
time.time = lambda: time.time_ns() / 1e9
"""


class JumpingServer(Server):
    """A server whose system's clock is set by the test."""

    def __init__(self, folder: Path, clock: Path | None = None) -> None:
        super().__init__(folder / "data")
        self._clock = clock or folder / "clock"
        self.set_clock(0)
        self.after(_JUMPING.format(path=str(self._clock)))

    def set_clock(self, seconds: int) -> None:
        """Set the clock this many seconds ahead of the right time."""
        self._clock.write_text(str(seconds))

    def restart(self) -> None:
        """Kill the server with SIGKILL, and start it again."""
        self.kill()
        self.start()
