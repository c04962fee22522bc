"""A server on which a test lets days pass, for the mind of the day: it is always noon there."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from tests.server.running import Server

_NOON = """
import facedown.server.http.endpoints.mind as mind
from datetime import datetime
def noon():
    with open({path!r}) as file:
        return int(datetime.fromisoformat(file.read() + "T12:00:00+00:00").timestamp() * 1000)
mind.now = noon
"""


class PassingDays:
    """A server whose days pass when the test says so."""

    def __init__(self, folder: Path) -> None:
        self._today = folder / "today"
        self._today.write_text(str(datetime.now(UTC).date()))
        wide = {"FACEDOWN_GUESSES": "100000", "FACEDOWN_STUDIES": "100000"}
        self.server = Server(folder / "data", **wide).after(_NOON.format(path=str(self._today))).start()

    @property
    def day(self) -> str:
        return self._today.read_text()

    def pass_one(self) -> str:
        """Let midnight come; the day that is over."""
        over = self.day
        self._today.write_text(before(over, -1))
        return over


def before(day: str, ago: int = 1) -> str:
    return str(date.fromisoformat(day) - timedelta(days=ago))
