"""A server on which a test lets days pass, for the mind of the day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from tests.server.running import Server

_LATER = """
import facedown.server.http.endpoints.mind as mind
real = mind.now
def later():
    with open({path!r}) as file:
        return real() + int(file.read()) * 24 * 3600 * 1000
mind.now = later
"""


class PassingDays:
    """A server whose days pass when the test says so."""

    def __init__(self, folder: Path) -> None:
        self._passed = folder / "days"
        self._passed.write_text("0")
        wide = {"FACEDOWN_GUESSES": "100000", "FACEDOWN_STUDIES": "100000"}
        self.server = Server(folder / "data", **wide).after(_LATER.format(path=str(self._passed))).start()

    def pass_one(self) -> str:
        """Let midnight come; the day that is over."""
        over = self.day()
        self._passed.write_text(str(int(self._passed.read_text()) + 1))
        return over

    def day(self, ahead: int = 0) -> str:
        passed = int(self._passed.read_text()) + ahead
        return str(datetime.now(UTC).date() + timedelta(days=passed))


def before(day: str, ago: int = 1) -> str:
    return str(date.fromisoformat(day) - timedelta(days=ago))
