"""The arena on Dask's workers: real ones, on this machine."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from facedown.core.chance import seed_of
from facedown.sim.arena import Arena, play
from facedown_lab.arrays import play_on
from tests.needs import without

ARENA = Arena("ecard", "decisive", 2, seed_of("arena"), ("random", "uniform"), 307)


@pytest.mark.filterwarnings("default")
def test_the_workers_of_dask_play_the_same_games() -> None:
    if find_spec("distributed") is None:
        without("the extra `dask` is not installed")
    distributed: Any = import_module("distributed")
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client, client.get_executor() as executor:
        assert list(play_on(executor, False, ARENA, 2)) == list(play(ARENA, 1))
