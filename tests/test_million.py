"""The model of `docs/a-million.md`: its arithmetic, and the page that is made from it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import exp
from typing import Any

import pytest

from bench.million import PEOPLE, changed, page, units_of
from bench.nemeses.lasting import Sample, by_minute, slope
from bench.results import read_results
from bench.scaling.model import CONNECTIONS, HOME, NOTIFY, OTHER, Assumed, Units, need, price, slowest_ms
from bench.scaling.page import verdict

UNITS = Units(
    server_ms=2.0,
    postgresql_ms=1.0,
    transactions=1.5,
    syncs=0.5,
    wal_bytes=1000.0,
    network_bytes=2000.0,
    person_kb=100.0,
    picks_per_game=20.0,
    game_bytes=20_000.0,
    packed_bytes=10_000.0,
    notifies_per_s=5000.0,
)
EVEN = Assumed(pick_every_s=10, busy=0.5, peak=2, unpacked_days=10, kept_days=100, members=3)


def test_a_pick_is_multiplied() -> None:
    found = need(10_000, UNITS, EVEN)

    assert found.picks_per_s == 1000
    assert (found.server_cores, found.postgresql_cores) == (2.0, 1.0)
    assert found.processes == 4  # half busy
    assert found.memory_gb == 1.0
    assert found.wal_mb_per_s == 1.0
    assert (found.transactions_per_s, found.syncs_per_s) == (1500, 500)
    assert found.network_gbit_per_s == pytest.approx(0.016)
    assert found.connections == 4 * 16
    assert found.home_connections == 4 * 7
    assert found.other_connections == 4 * 7 + 4


def test_games_are_kept_at_every_member_packed_after_some_days() -> None:
    """Half of the busiest 1,000 picks a second is 25 games a second, all day."""
    found = need(10_000, UNITS, EVEN)

    games = 25 * 86_400
    assert found.disk_gb_per_day == pytest.approx(games * 10_000 / 1e9)
    assert found.disk_gb == pytest.approx(3 * games * (10 * 20_000 + 90 * 10_000) / 1e9)


def test_the_first_limit_is_the_one_that_is_used_most() -> None:
    found = need(10_000, UNITS, EVEN)

    assert found.shares[NOTIFY] == pytest.approx(4 * 50 / 2500)
    assert found.shares[CONNECTIONS] == pytest.approx(64 / 1000)
    assert found.first[0] == "syncs of the disk"
    assert found.first[1] == pytest.approx(500 / 5000)
    assert found.then == (OTHER, found.left[OTHER])
    assert found.left[OTHER] == pytest.approx(32 / 1000)
    assert found.left[HOME] == pytest.approx(28 / 5000)
    assert need(10_000, replace(UNITS, notifies_per_s=200), EVEN).first[0] == NOTIFY


def test_what_is_divided_needs_more_clusters() -> None:
    """NOTIFY, connections and the proxy are not: they have other remedies."""
    assert need(10_000, UNITS, EVEN).clusters == 1
    assert need(150_000, UNITS, EVEN).clusters == 2  # 1.5 times the syncs of one
    assert need(10_000, replace(UNITS, notifies_per_s=1), EVEN).clusters == 1


def test_machines_are_paid_for_the_busiest_time_and_traffic_for_the_average() -> None:
    assumed = replace(EVEN, core_month=10.0, memory_gb_month=2.0, disk_gb_month=0.0, traffic_gb=1.0)

    costs = price(need(10_000, UNITS, assumed), UNITS, assumed)

    assert costs["processors"] == pytest.approx((2 + 3 * 1) / 0.5 * 10)
    assert costs["memory"] == pytest.approx(2.0)
    assert costs["disk"] == 0
    assert costs["traffic"] == pytest.approx(1000 * 2000 / 1e9 * 86_400 * 30 / 2)


def test_a_queue_is_slow_where_it_is_busy() -> None:
    """M/M/1: a stay is exponential, with mean service / (1 - busy)."""
    slowest = slowest_ms(3.0, 0.4)

    assert exp(-slowest * (1 - 0.4) / 3.0) == pytest.approx(0.01)
    assert slowest_ms(3.0, 0.9) == pytest.approx(6 * slowest)


def test_everything_grows_with_people() -> None:
    units = units_of(read_results())
    found = [need(people, units, Assumed()) for people in PEOPLE]

    for few, many in pairwise(found):
        assert many.server_cores == pytest.approx(10 * few.server_cores)
        assert many.disk_gb == pytest.approx(10 * few.disk_gb)
        assert many.clusters >= few.clusters
        assert many.first[1] > few.first[1]


def test_an_assumption_is_changed_by_its_name() -> None:
    assert changed(["members=5", "busy=0.7"]) == replace(Assumed(), members=5, busy=0.7)
    with pytest.raises(KeyError):
        changed(["mood=good"])


def test_memory_is_followed_by_its_mean_of_each_minute() -> None:
    """Samples within a minute depend on each other; they count once."""
    samples = [Sample(10.0 * n, 100 + n // 6, 0, 0, 0, 0, 0, 0, 0, 0) for n in range(24)]

    memory = by_minute(samples, "memory_mb")

    assert memory == [(0.5, 100), (1.5, 101), (2.5, 102), (3.5, 103)]
    assert slope(memory) == (1.0, 0.0)


def test_the_error_of_a_slope_is_that_of_least_squares() -> None:
    found = slope([(0, 0), (1, 2), (2, 1), (3, 3)])

    assert found.by == pytest.approx(0.8)
    assert found.error == pytest.approx(2 * (1.8 / 2 / 5) ** 0.5)


def test_the_error_of_a_slope_is_wider_if_points_depend_on_each_other() -> None:
    """Memory that stays above a line for minutes has been measured fewer times than there are minutes."""
    wandering = slope([(0, 0), (1, 1), (2, 2), (3, 2), (4, 1), (5, 0)])

    assert wandering.by == pytest.approx(0)
    assert wandering.error == pytest.approx(2 * (4 / 4 / 17.5 * (1 + 1 / 4) / (1 - 1 / 4)) ** 0.5)


def test_the_bar_of_a_kill_is_said_to_hold_up_to_the_first_size_that_misses_it() -> None:
    def step(people: int, *slowest: float) -> dict[str, Any]:
        return {"people": people, "kills": [{"seated_p99_s": 0.5, "played_p99_s": each} for each in slowest]}

    assert "holds with 200 people" in verdict([step(100, 1, 2), step(200, 3, 1)])
    assert "missed" not in verdict([step(100, 1, 2), step(200, 3, 1)])
    mixed = verdict([step(100, 1), step(200, 1, 3.5), step(400, 2)])
    assert "holds with 100 people" in mixed
    assert "missed with 200 (3.5 s)**" in mixed
    assert "holds" not in verdict([step(100, 4)])


def test_the_page_is_what_the_model_makes(capsys: pytest.CaptureFixture[str]) -> None:
    assert page(check=True) == 0, f"python bench/million.py page: {capsys.readouterr().out}"
