"""Every query of a store with very many games uses an index: none reads all tables or all events."""

from __future__ import annotations

import re

import pytest

from bench.scaling.games import Filled
from bench.scaling.queries import LEFT_OUT, plan_of, questions, sqlite_statements
from facedown.server.store.base import Store
from facedown.server.store.sqlite.store import SqliteStore
from tests.server.store.steps import creation

pytestmark = pytest.mark.anyio

_LOG = "log_entries|log_nodes"
_GAMES = "tables|events|texts|seats|ended"
_GROWING = rf"{_GAMES}|{_LOG}|played|results|rivals|accounts|standings"
WHOLE = re.compile(rf"SCAN ({_GROWING})\b(?!.* INDEX)")
"""A step that reads all of a table that grows with the games."""


async def test_no_query_reads_all_games(store: SqliteStore) -> None:
    await store.append(creation("T"))
    for name, ask in questions(store, Filled("p", "q", "t", "u", "T", 1)):
        for statement in await sqlite_statements(store, ask):
            steps = await plan_of(store, statement)
            assert not any(map(WHOLE.match, steps)), f"{name}: {statement}: {steps}"


async def test_every_method_is_measured(store: SqliteStore) -> None:
    asked = {name.partition(":")[0] for name, _ in questions(store, Filled("p", "q", "t", "u", "T", 1))}
    methods = {
        name
        for kind in Store.__mro__
        for name, member in vars(kind).items()
        if not name.startswith("_") and callable(member)
    }
    assert methods - asked - LEFT_OUT == set()
