"""What one server promises, kept by two servers on one PostgreSQL: leaks, attacks that touch the store, and
the time of those who could not play.

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
from tests.attacks.test_command_ids import (
    test_a_key_makes_one_table_and_stays_good_for_its_order as test_a_key_makes_one_table,
)
from tests.attacks.test_command_ids import (
    test_a_stranger_cannot_use_up_the_ids_of_the_next_player as test_ids_are_ones_own,
)
from tests.attacks.test_command_ids import (
    test_an_id_is_not_acknowledged_for_a_second_pick as test_an_id_is_for_one_pick,
)
from tests.attacks.test_eviction import test_the_opponent_does_not_choose_the_machine as test_eviction
from tests.attacks.test_forgetting import (
    test_a_person_takes_everything_along_and_has_it_erased as test_somebody_is_forgotten,
)
from tests.attacks.test_forgetting import (
    test_signing_out_everywhere_ends_all_sessions_and_seat_tokens as test_signed_out_everywhere,
)
from tests.attacks.test_the_public_log import (
    test_the_log_cannot_be_rewritten_in_the_database as test_the_log_stays,
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
    "test_a_key_makes_one_table",
    "test_an_id_is_for_one_pick",
    "test_eviction",
    "test_ids_are_ones_own",
    "test_no_byte_tells_what_lies_face_down",
    "test_secrets_are_hashed",
    "test_signed_out_everywhere",
    "test_somebody_is_forgotten",
    "test_the_log_stays",
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
