"""Parsers are given what they do not expect: real inputs with small changes, found by Hypothesis."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from facedown.server.clock import HOUR_MS
from facedown.server.table import setup
from tests.fuzz import corpus
from tests.fuzz.mutate import Choose, mutated
from tests.fuzz.targets import TARGETS, bounded
from tests.fuzz.world import OPEN, World

THOROUGH = bool(os.environ.get("THOROUGH"))


def choosing(data: st.DataObject) -> Choose:
    return lambda below: data.draw(st.integers(0, below - 1))


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus(target: str) -> None:
    for entry in corpus.entries(target):
        with bounded():
            TARGETS[target](entry)


@pytest.mark.parametrize("target", TARGETS)
def test_real_inputs_with_small_changes(target: str) -> None:
    entries = corpus.entries(target)

    @settings(
        max_examples=1000 if THOROUGH else 60,
        deadline=None,
        derandomize=not THOROUGH,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(st.data())
    def fuzz(data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(entries))
        entry = mutated(entry, entries, choosing(data))
        with bounded():
            TARGETS[target](entry)

    fuzz()


# --- a whole server --------------------------------------------------------------------------------------


def test_a_server_refuses_changed_messages_and_calls_without_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "OPENING_MS", HOUR_MS)  # no seat is freed by the clock in a long round
    messages, calls = corpus.entries("client_message"), corpus.entries("call")
    loop = asyncio.new_event_loop()
    world = World(tmp_path / "data")
    loop.run_until_complete(world.open())

    @settings(
        max_examples=3000 if THOROUGH else 80,
        deadline=None,
        derandomize=not THOROUGH,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(st.data())
    def fuzz(data: st.DataObject) -> None:
        choose = choosing(data)
        table = list(world.tables)[choose(2)]
        if choose(2):
            sent = json.loads(calls[choose(len(calls))])
            body = mutated(json.dumps(sent["body"]).encode(), calls, choose)
            method, _, path = sent["call"].partition(" ")
            loop.run_until_complete(world.call(body, method, path))
        else:
            known = [*messages, OPEN]
            entry = known[choose(len(known))]
            old = re.search(rb'"table": "(\w+)"', entry)
            entry = entry.replace(old[1], table.encode()) if old else entry
            entry = mutated(entry, messages, choose) if choose(8) else entry
            loop.run_until_complete(world.message(entry, table, first=not choose(3)))
        if not choose(16):
            loop.run_until_complete(world.set_up())

    try:
        fuzz()
    finally:
        loop.run_until_complete(world.close())
        loop.close()
