"""`facedown arena` with the options of the laboratory."""

from __future__ import annotations

import json
import threading
from importlib.util import find_spec

import pytest

from tests.cli.command import failed_in_one_sentence
from tests.cli.conftest import Here
from tests.needs import without

SMALL = ("arena", "ecard", "--bots", "habit,uniform", "--games", "20", "--seed", "oak", "--jobs", "1")


def test_arrays_play_the_arena_of_matches(here: Here) -> None:
    ran = here(*SMALL, "--engine", "batch", "--json")
    matches = here(*SMALL, "--engine", "match", "--json")

    assert "Played as arrays: the same games as one by one." in ran.err
    assert json.loads(ran.out) == json.loads(matches.out)


def test_arrays_play_the_simulation_of_matches(here: Here) -> None:
    asked = (
        "arena",
        "davenport",
        "--bots",
        "uniform",
        "--games",
        "30",
        "--seed",
        "oak",
        "--jobs",
        "1",
        "--json",
    )

    assert json.loads(here(*asked, "--engine", "batch").out) == json.loads(here(*asked).out)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "localhost:99999999999", "\udcff:80", "nowhere"])
def test_a_scheduler_that_is_not_there_leaves_nothing_behind(here: Here, address: str) -> None:
    """A client of Dask that failed used to block, and to fail, whatever ran when it was collected."""
    if find_spec("distributed") is None:
        without("the extra `dask` is not installed")

    ran = here("arena", *SMALL[1:], "--dask", address)

    assert failed_in_one_sentence(ran, "usage")
    assert "no scheduler answers there" in ran.err
    assert "IO loop" not in [each.name for each in threading.enumerate()]
