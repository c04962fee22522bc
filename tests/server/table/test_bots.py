"""How long a machine takes for a pick: less beside other machines, and independent of the pick."""

from __future__ import annotations

from typing import Final

from facedown.protocol.messages import Cmd
from facedown.server.table.bots import machines_play_alone, moment_of
from tests.server.playing import Bench, order

KEY: Final = bytes(32)
PAUSE: Final = 2000


def test_a_machine_takes_between_0_6_and_2_seconds() -> None:
    moments = [moment_of(decision, 1, KEY, PAUSE, 0) for decision in range(1, 101)]

    assert all(0.6 <= each <= 2 for each in moments)
    assert len(set(moments)) > 50, "not always the same"


def test_beside_other_machines_each_takes_less() -> None:
    assert moment_of(1, 2, KEY, PAUSE, 2) * 3 == moment_of(1, 2, KEY, PAUSE, 0)
    assert moment_of(1, 2, KEY, 0, 0) == 0


def test_machines_play_without_pauses_once_no_person_is_in_the_game() -> None:
    bench = Bench(order("davenport", 4, machines=(3, 4)))
    bench.begin()
    alone = []
    for seat in (1, 2):
        alone.append(machines_play_alone(bench.state))
        bench.act(seat, Cmd("enough", "resign", decision=bench.state.match.decision))

    assert (alone, machines_play_alone(bench.state)) == ([False, False], True)
