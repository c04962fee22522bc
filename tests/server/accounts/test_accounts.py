"""Kept accounts on a store: what time changes, and what a wrong guess costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from facedown.core.errors import NotNow
from facedown.protocol.errors import WrongCode
from facedown.server import clock
from facedown.server.accounts.accounts import DRAFT_MS, SHOWN_MS, Accounts, ShownCode
from facedown.server.accounts.devices import Device, device_of
from facedown.server.accounts.people import People
from facedown.server.store.sqlite.store import SqliteStore
from facedown.server.store.values import Person

pytestmark = pytest.mark.anyio

PHONE = Device("Firefox", "Android")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "data")
    yield opened
    await opened.close()


@pytest.fixture
def people(store: SqliteStore) -> People:
    return People(store)


@pytest.fixture
def accounts(store: SqliteStore, people: People) -> Accounts:
    return Accounts(store, people)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Moves the server's clock by milliseconds."""
    ahead, began = 0, clock.now

    def move(ms: int) -> None:
        nonlocal ahead
        ahead += ms

    monkeypatch.setattr(clock, "now", lambda: began() + ahead)
    return move


def asked(shown: ShownCode) -> list[str]:
    groups = shown.code.split("-")
    return [groups[number - 1] for number in shown.asked]


async def kept(accounts: Accounts, people: People) -> tuple[Person, str, str]:
    """A person who keeps the account as `ann`, the session's token, and the code."""
    ann, token = await people.guest("Ann", "browser")
    shown = await accounts.begin(ann.id, "ann")
    _, token = await accounts.confirm(ann.id, asked(shown), token)
    return ann, token, shown.code


async def test_a_code_waits_an_hour_for_its_confirmation(
    store: SqliteStore, accounts: Accounts, people: People, later: Callable[[int], None]
) -> None:
    ann, _ = await people.guest("Ann", "browser")
    shown = await accounts.begin(ann.id, "ann")
    later(DRAFT_MS)
    with pytest.raises(NotNow):
        await accounts.confirm(ann.id, asked(shown))
    assert await store.accounts.account(ann.id) is None


async def test_a_use_of_the_code_is_shown_for_a_week_elsewhere(
    accounts: Accounts, people: People, later: Callable[[int], None]
) -> None:
    ann, old, code = await kept(accounts, people)
    new = await accounts.sign_in(await accounts.check_code("Ann", code), "browser", PHONE)
    later(SHOWN_MS - 60_000)
    (use,) = await accounts.code_uses(ann.id, old)
    assert (use.app, use.system) == PHONE
    assert await accounts.code_uses(ann.id, await accounts.rotate(new)) == []
    later(60_000)
    assert await accounts.code_uses(ann.id, old) == []


async def test_a_wrong_guess_costs_the_same_for_every_handle(
    accounts: Accounts, people: People, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await kept(accounts, people)
    select, costs = store._select, dict[str, Counter[str]]()
    for handle in ("ann", "unknown", "!", "ann\0"):
        costs[handle] = Counter()

        def counted(statement: str, *values: object, cost: Counter[str] = costs[handle]) -> Any:
            cost[statement] += 1
            return select(statement, *values)

        monkeypatch.setattr(store, "_select", counted)
        with pytest.raises(WrongCode):
            await Accounts(store, people).check_code(handle, "2222")
    assert len(costs["ann"]) == 2
    assert all(each == costs["ann"] for each in costs.values())


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", ("Firefox", "Linux")),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604",
            ("Safari", "iPhone"),
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140 Safari/537 Edg/140.0",
            ("Edge", "Windows"),
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Chrome/140 Safari/537", ("Chrome", "macOS")),
        ("Mozilla/5.0 (Something else)", ("", "")),
        ("\x1b[2Jevil" + "x" * 600, ("[2Jevil" + "x" * 32 + "…", "")),
    ],
)
def test_devices_by_their_user_agent(agent: str, device: tuple[str, str]) -> None:
    assert device_of(agent) == device
