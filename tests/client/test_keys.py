"""Keys of servers: kept at the first contact, changed only with a statement of both keys."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from msgspec.structs import replace

from facedown.client import RestClient, ServerRefused, keys
from facedown.client.keys import KnownServer, KnownServers, trusted_keys
from facedown.core.links import NO_KEY
from facedown.files import replace_file
from facedown.protocol.rest import ServerKeys
from facedown.server.signing import Signing
from facedown.server.store.sqlite.store import SqliteStore
from tests.patience import PATIENCE
from tests.server.running import Server as Running

ORIGIN = "https://play.example"


class Published(RestClient):
    """A server that publishes these keys."""

    def __init__(self, keys: ServerKeys) -> None:
        super().__init__(ORIGIN)
        self.published = keys

    def keys(self) -> ServerKeys:
        return self.published


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> list[ServerKeys]:
    """What a server publishes at first, and after each of two changes of its key."""

    async def change() -> list[ServerKeys]:
        store = SqliteStore(tmp_path_factory.mktemp("keys"))
        signing = Signing(store, ORIGIN)
        await signing.load()
        found = [signing.published(), await signing.change_key(1), await signing.change_key(2)]
        again = Signing(store, ORIGIN)
        await again.load()
        assert again.published() == found[-1], "it is kept in the store"
        assert again.sign_head(found[0].key, "T", 0, bytes(32)), "tables keep the key that they began with"
        await store.close()
        return found

    return asyncio.run(change())


def test_a_key_is_kept_and_changes_with_a_statement(history: list[ServerKeys], tmp_path: Path) -> None:
    first, second, third = history
    assert len({first.key, second.key, third.key, NO_KEY}) == 4
    file = tmp_path / "servers.json"
    assert KnownServers(file).meet(Published(first)) == {first.key}
    assert KnownServers(file).keys == {ORIGIN: first.key}
    assert KnownServers(file).meet(Published(third)) == {first.key, second.key, third.key}
    known = KnownServers(file)
    assert known.keys == {ORIGIN: third.key}
    assert known.meet(Published(third)) >= {first.key}, "older tables are still signed with the first one"


def test_a_key_without_a_statement_is_not_believed(history: list[ServerKeys], tmp_path: Path) -> None:
    first, _, third = history
    file = tmp_path / "servers.json"
    KnownServers(file).meet(Published(first))
    for lie in (
        replace(third, changes=()),
        replace(third, changes=third.changes[1:]),
        replace(third, origin="https://other.example"),
        replace(third, changes=(replace(third.changes[0], at=9), third.changes[1])),
        replace(third, changes=(replace(third.changes[0], by_old="nonsense"), third.changes[1])),
        replace(third, key=NO_KEY, changes=()),
    ):
        assert trusted_keys(lie, first.key) == frozenset()
        assert KnownServers(file).meet(Published(lie)) == {first.key}, "the one that is kept counts alone"
        assert KnownServers(file).keys == {ORIGIN: first.key}


def test_anyone_may_read_the_key_and_only_the_operator_changes_it(running: Running) -> None:
    guest = RestClient(running.base)
    guest.sign_in("Mallory")
    before = guest.keys()
    assert len(before.key) == 64
    assert before.key != NO_KEY
    with pytest.raises(ServerRefused):
        guest.send("POST", "/admin/key")
    assert guest.keys() == before


def test_servers_that_are_met_at_once_are_both_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each table of a program meets its server in a thread of its own."""
    file, writing, free = tmp_path / "servers.json", threading.Event(), threading.Event()

    def write_slowly(target: Path, content: bytes, *, mode: int) -> None:
        monkeypatch.setattr(keys, "replace_file", replace_file)
        writing.set()
        free.wait(PATIENCE)
        replace_file(target, content, mode=mode)

    monkeypatch.setattr(keys, "replace_file", write_slowly)
    with ThreadPoolExecutor() as threads:
        one, other = KnownServers(file)._change, KnownServers(file)._change
        first = threads.submit(one, "https://one.example", lambda _: KnownServer("1"))
        assert writing.wait(PATIENCE)
        second = threads.submit(other, "https://other.example", lambda _: KnownServer("2"))
        wait([second], timeout=0.2)  # unless it waits
        free.set()
        first.result(PATIENCE)
        second.result(PATIENCE)
    assert KnownServers(file).keys == {"https://one.example": "1", "https://other.example": "2"}
