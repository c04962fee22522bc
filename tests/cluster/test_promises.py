"""What one server promises, kept by two processes on one PostgreSQL: leaks, attacks that touch the store, and
the time of those who could not play.

The tests are those of one server. `FACEDOWN_TESTS_ON=postgresql ./test …` runs any others like this as well.
"""

from __future__ import annotations

from collections.abc import Iterator

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
from tests.server.running import Server, two_processes
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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    postgresql.programs()
    data = tmp_path_factory.mktemp("two") / "data"
    wide = {"FACEDOWN_GUESSES": "100000", "FACEDOWN_CHAT": "100000", "FACEDOWN_MACHINE_PAUSE": "0"}
    running = Server(data, **wide, **two_processes(data)).start()
    yield running
    running.close()
