"""What one server promises, kept by two servers on one PostgreSQL: leaks, kills, and the time of those who
could not play. With `THOROUGH=1` all tests of servers and attacks run on PostgreSQL.

The tests are those of one server: what they ask for one after the other, they ask both servers by turns.
"""

from __future__ import annotations

import itertools
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import postgresql
from tests.attacks.conftest import meet as meet
from tests.attacks.test_blind_tables import (
    test_the_owner_of_the_server_finds_nothing_before_all_have_sealed as test_a_blind_pick_is_nowhere,
)
from tests.attacks.test_two_histories import here as here
from tests.attacks.test_two_histories import soon as soon
from tests.attacks.test_two_histories import (
    test_an_honest_server_raises_no_alarm_over_kills as test_two_honest_servers,
)
from tests.server.crash.test_crash import (
    test_a_server_that_stood_still_gives_the_time_back as test_time_is_given_back,
)
from tests.server.running import Server, on_database
from tests.server.whole.test_leaks import (
    test_no_byte_tells_what_lies_face_down as test_no_byte_tells_what_lies_face_down,
)
from tests.server.whole.test_leaks import (
    test_secrets_are_hashed_where_they_are_kept as test_secrets_are_hashed,
)

__all__ = [
    "test_a_blind_pick_is_nowhere",
    "test_no_byte_tells_what_lies_face_down",
    "test_secrets_are_hashed",
    "test_time_is_given_back",
    "test_two_honest_servers",
]
pytestmark = pytest.mark.anyio


class TwoServers:
    """Two servers on one database, for tests of one: `base` is the address of each of them by turns."""

    def __init__(self, folder: Path, **settings: str) -> None:
        settings |= on_database(folder)
        self._both = [Server(folder / name / "data", **settings) for name in ("one", "two")]
        for each in self._both:
            each.logs_folder.mkdir(parents=True)
        self._turns = itertools.cycle(self._both)
        self.data = folder
        self.store_url = self._both[0].store_url

    @property
    def base(self) -> str:
        return next(self._turns).base

    @property
    def logs(self) -> list[Path]:
        return [log for each in self._both for log in each.logs]

    def start(self) -> TwoServers:
        for each in self._both:
            each.start()
        return self

    def send(self, number: signal.Signals) -> None:
        for each in self._both:
            each.send(number)

    def kill(self) -> None:
        """kill -9 of both."""
        for each in self._both:
            each.kill()

    def stop(self) -> int:
        """SIGTERM; the largest exit status."""
        return max([each.stop() for each in self._both])

    def close(self) -> None:
        for each in self._both:
            each.close()

    def log(self) -> str:
        """The logs of both."""
        return "\n".join(each.log() for each in self._both)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoServers]:
    postgresql.programs()
    wide = {"FACEDOWN_GUESSES": "100000", "FACEDOWN_CHAT": "100000", "FACEDOWN_MACHINE_PAUSE": "0"}
    running = TwoServers(tmp_path_factory.mktemp("two"), **wide).start()
    yield running
    running.close()
