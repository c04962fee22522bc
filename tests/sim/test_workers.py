"""How processes are started that share work, and how it ends by Ctrl-C."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from facedown.sim.workers import _start_method, spread

FORKS = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods() or sys.platform == "darwin",
    reason="this system does not fork",
)


@FORKS
def test_beside_jax_nothing_is_forked_unless_only_that_knows_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "jax", raising=False)
    assert _start_method(len) == "fork"

    monkeypatch.setitem(sys.modules, "jax", ModuleType("jax"))

    assert _start_method(len) == "spawn"
    assert _start_method(lambda: None) == "fork"


# --- Ctrl-C ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_interrupts_the_caller_between_two_results(jobs: int) -> None:
    taken: list[int] = []
    written: list[int] = []

    def take_all() -> None:
        for result in spread(abs, range(1000), jobs):
            taken.append(result)
            if result == 3:
                signal.raise_signal(signal.SIGINT)
            written.append(result)

    with pytest.raises(KeyboardInterrupt):
        take_all()

    assert taken == written == [0, 1, 2, 3]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _interrupt(piece: int) -> Iterator[int]:
    yield piece
    signal.raise_signal(signal.SIGINT)
    pytest.fail("the pieces go on after Ctrl-C")


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_interrupts_the_source_of_the_pieces_at_once(jobs: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        list(spread(abs, _interrupt(1), jobs))


def test_a_second_time_nothing_waits_any_longer() -> None:
    results = spread(abs, range(1000), 2)
    next(results)
    signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        next(results)


def test_other_handlers_of_ctrl_c_stay() -> None:
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        for _ in spread(abs, range(3), 2):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)

    assert pressed == [signal.SIGINT] * 3
