"""The back-off of work that fails, by a clock that the test moves."""

from __future__ import annotations

import pytest

from facedown.server.ops.backoff import FIRST_S, LONGEST_S, Backoff
from facedown.server.store.failures import StoreFailed, StoreFault
from tests.server.test_due import Steady

pytestmark = pytest.mark.anyio


def fail(backoff: Backoff, key: str, error: Exception, times: int = 1) -> None:
    for _ in range(times):
        with backoff.attempt("work", key):
            raise error


async def test_each_failure_doubles_the_pause_up_to_a_minute() -> None:
    backoff, pauses = Backoff(Steady()), []
    for _ in range(9):
        fail(backoff, "", KeyError("x"))
        pauses.append(backoff.wait_s("work"))
    assert pauses[:3] == [FIRST_S, 2 * FIRST_S, 4 * FIRST_S]
    assert pauses[-1] == LONGEST_S


async def test_success_ends_the_row_of_failures_of_its_key_only() -> None:
    backoff = Backoff(Steady())
    for key in ("a", "b"):
        fail(backoff, key, KeyError(key), 3)
    with backoff.attempt("work", "a"):
        pass
    assert backoff.is_due("work", "a")
    assert [each.key for each in backoff.failing] == ["b"]


async def test_what_fails_again_and_again_is_listed_until_nobody_tries_it() -> None:
    time = Steady()
    backoff = Backoff(time)
    fail(backoff, "a", StoreFault("poisoned"), 3)
    fail(backoff, "b", KeyError("x"), 2)
    ((work, key, failures, _, error),) = backoff.failing
    assert (work, key, failures, error) == ("work", "a", 3, "store_failed: poisoned")
    assert {name: value for name, _, value in (*backoff.counts().counters, *backoff.counts().gauges)} == {
        "work_failures": 5,
        "work_failing": 1,
    }
    time.at += 3600
    assert backoff.failing == ()


async def test_an_outage_of_the_store_postpones_nothing() -> None:
    backoff = Backoff(Steady())
    fail(backoff, "a", StoreFailed("the disk is full"), 5)
    assert backoff.is_due("work", "a")
    assert backoff.failing == ()
