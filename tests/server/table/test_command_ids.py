"""Command ids: which commands count as repeated, and which are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from facedown.protocol.errors import NotYours, ReusedId
from facedown.protocol.messages import Ack, Cmd
from facedown.server.table import commands
from facedown.server.table.actor import Actor, sender_of
from tests.server.playing import Bench, order

WORDS = st.sampled_from(["hello", "thanks", "sorry"])
STEPS = st.lists(st.tuples(st.sampled_from(["Ann", "Bo", "m1"]), st.sampled_from(["a", "b", "m1"]), WORDS))


@given(STEPS)
def test_an_id_belongs_to_its_sender_and_to_one_command(steps: list[tuple[str, str, str]]) -> None:
    """People take turns on one seat and use each other's ids; a state read back knows the ids as well."""
    bench = Bench(order("davenport", 3))
    known: dict[tuple[str, str], tuple[str, int]] = {}
    for person, command, word in steps:
        sit_alone(bench, person)
        cmd = Cmd(command, "say", preset=word)  # type: ignore[arg-type]  # one of the presets
        before = bench.state.head
        sent, v = known.setdefault((person, command), (word, before + 1))
        for state in (bench.state, bench.read_back()):
            if (person, command) in known and v <= before and sent != word:
                with pytest.raises(ReusedId):
                    commands.answer_of_repeat(state, Actor(1, person, person), cmd)
        if sent == word:
            assert commands.execute(bench.tx(), Actor(1, person, person), cmd) == Ack(command, v)
            assert bench.state.head == max(before, v)
        else:
            with pytest.raises(ReusedId):
                commands.execute(bench.tx(), Actor(1, person, person), cmd)
            assert bench.state.head == before
        assert commands.answer_of_repeat(
            bench.read_back(), Actor(1, person, person), replace(cmd, preset=sent)
        ) == Ack(command, v)


def sit_alone(bench: Bench, person: str) -> None:
    """Put this person on seat 1; its previous holder leaves."""
    holder = bench.state.place(1).person
    if holder == person:
        return
    if holder is not None:
        leaving = Cmd(f"leave{bench.state.head}", "leave")
        commands.execute(bench.tx(), Actor(1, holder, holder), leaving)
    bench.sit(1, person)


def test_the_ids_of_machines_are_out_of_reach() -> None:
    bench = Bench(order("ecard", machines=(2,)))
    bench.begin()
    for sender in ("machine", "machine:m1", ""):
        with pytest.raises(NotYours):
            commands.execute(bench.tx(), Actor(1, sender, "x"), Cmd("m1", "say", preset="hello"))
    assert sender_of("machine:m1") == ""
    assert sender_of("01ABC:m1") == "01ABC"
