"""Parsers are given what they do not expect: real inputs with small changes, found by Hypothesis.

Hypothesis and not Atheris, which has wheels (3.1.0) for Python 3.12 and newer on x86-64 Linux, needs clang
elsewhere, and does not shrink what it finds. With `THOROUGH=1` a longer round follows, guided by coverage: an
input that reaches a new line is kept, and changed further (`FUZZ_INPUTS` for each target; `-s` prints it).
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

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
INPUTS = int(os.environ.get("FUZZ_INPUTS", "20000"))


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


@pytest.mark.skipif(not THOROUGH, reason="a longer round, with THOROUGH=1")
@pytest.mark.parametrize("target", TARGETS)
def test_inputs_that_reach_new_lines_are_changed_further(target: str) -> None:
    entries = corpus.entries(target)
    seed = random.randrange(1 << 32)
    print(f"{target}: seed {seed}")
    source = random.Random(seed)
    reached: set[Any] = set()
    for entry in tuple(entries):
        reached |= lines_reached(target, entry)
    for _ in range(INPUTS):
        entry = mutated(source.choice(entries), entries, source.randrange)
        found = lines_reached(target, entry)
        if not found <= reached and len(entry) < 20_000:
            reached |= found
            entries.append(entry)
            print(f"{target}: {entry[:500]!r}")


def lines_reached(target: str, entry: bytes) -> set[Any]:
    """Which lines of ours an input leads to, each with the line before it."""
    found: set[Any] = set()

    def in_frame(frame: FrameType, event: str, _: Any) -> Any:
        if "facedown" not in frame.f_code.co_filename:
            return None
        if event == "line":
            found.add((frame.f_code, frame.f_lineno))
        return in_frame

    sys.settrace(in_frame)
    try:
        with bounded():
            TARGETS[target](entry)
    except BaseException:
        print(f"{target}: {entry!r}")
        raise
    finally:
        sys.settrace(None)
    return found


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
