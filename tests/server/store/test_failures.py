"""Acknowledged appends survive kill -9, a full disk and a locked database."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import logging.handlers
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.store.failures import HeadMoved, StoreFailed
from facedown.server.store.sqlite.backup import check
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.store import SqliteStore
from tests.needs import without
from tests.server.store.steps import creation, head_of, step

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("answers", [1, 40, 400, 1500])
async def test_killed_at_any_moment_it_has_every_append_that_it_answered(folder: Path, answers: int) -> None:
    acked: dict[str, int] = {}
    for _ in range(2):
        acked.update(_until_killed(folder, answers))
        store = open_store(f"sqlite:{folder}")
        for table, v in acked.items():
            assert [row.v for row in await store.rows(table)][:v] == list(range(1, v + 1))
        await store.close()
        assert check(folder) == []


def _until_killed(folder: Path, answers: int) -> dict[str, int]:
    """The last answer of every table, of a program that was killed in the middle of its work."""
    command = [sys.executable, "-m", "tests.server.store.acking", str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        lines = [program.stdout.readline() for _ in range(answers)]
        program.kill()
        lines += program.stdout.readlines()
    assert program.returncode == -9
    whole = [line.split() for line in lines if line.endswith("\n")]
    assert len(whole) >= answers
    return {table: int(v) for table, v in whole}


async def test_every_commit_waits_for_the_disk(store: SqliteStore) -> None:
    def settings(connection: sqlite3.Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "busy_timeout")
        return [connection.execute(f"pragma {name}").fetchone()[0] for name in names]

    assert await store.write(settings) == ["wal", 2, 5000]  # 2: full


async def test_a_full_database_fails_what_does_not_fit_and_works_again_with_space(store: SqliteStore) -> None:
    await store.append(creation("T"))
    await _leave_room(store)
    head = await _fill(store, 1)
    assert head > 5
    # a group that fails in its middle: none of it is saved
    group = [store.append(creation(f"U{number}")) for number in range(20)]
    group += [store.append(step("T", head + number, body=bytes(3000))) for number in range(20)]
    for outcome in await asyncio.gather(*group, return_exceptions=True):
        assert isinstance(outcome, StoreFailed)
        assert "nothing was saved" in str(outcome.message)
    assert await head_of(store, "T") == head
    assert await head_of(store, "U0") is None
    await _limit_pages(store)
    with pytest.raises(HeadMoved):  # what was built on a failed append stays refused
        await store.append(step("T", head + 1))
    await store.append(step("T", head, body=bytes(3000)))
    await store.ready()
    assert [row.v for row in await store.rows("T")] == list(range(1, head + 2))


@contextlib.contextmanager
def logged(name: str) -> Iterator[list[str]]:
    """The lines written to a log."""
    log, handler, lines = logging.getLogger(name), logging.handlers.BufferingHandler(10_000), list[str]()
    log.addHandler(handler)
    try:
        yield lines
    finally:
        lines += [record.getMessage() for record in handler.buffer]
        log.removeHandler(handler)
        handler.close()


async def test_an_outage_is_one_line_when_it_begins_and_one_when_it_is_over(
    store: SqliteStore,
) -> None:
    await store.append(creation("T"))
    await _leave_room(store)
    with logged("facedown.store") as lines:
        head = await _fill(store, 1)
        for _ in range(50):
            with pytest.raises(StoreFailed):
                await store.append(step("T", head, body=bytes(300_000)))
        await _limit_pages(store)
        await store.ready()
    assert [line.partition(",")[0].partition(":")[0] for line in lines[-2:]] == [
        "the store cannot write",
        "the store writes again",
    ]
    assert len(lines) <= 4  # a small write may find room in between


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    if os.geteuid() != 0 or shutil.which("mount") is None:
        without("no small disk can be mounted, which needs root")
    command = ["mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", str(mounted)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        without(f"no small disk can be mounted: {done.stderr.strip()}")
    yield mounted
    subprocess.run(["umount", str(mounted)], check=True)


async def test_a_full_disk_loses_nothing_that_was_answered(small_disk: Path) -> None:
    store = open_store(f"sqlite:{small_disk / 'house'}")
    await store.append(creation("T"))
    ballast = small_disk / "ballast"
    head = 1
    for _ in range(3):
        with contextlib.suppress(OSError):
            ballast.write_bytes(bytes(2_000_000))
        head = await _fill(store, head)
        assert len(await store.rows("T")) == head
        ballast.unlink()
        await store.append(step("T", head))
        head += 1
    await store.close()
    assert check(small_disk / "house") == []
    again = open_store(f"sqlite:{small_disk / 'house'}")
    assert [row.v for row in await again.rows("T")] == list(range(1, head + 1))
    await again.close()


async def _leave_room(store: SqliteStore) -> None:
    """Let the database grow by few pages, however large it is with its schema alone."""

    def pages(connection: sqlite3.Connection) -> int:
        count: int = connection.execute("pragma page_count").fetchone()[0]
        return count

    await _limit_pages(store, await store.write(pages) + 20)


async def _limit_pages(store: SqliteStore, pages: int = 0xFFFFFFFE) -> None:
    """Limit the size of the database to this number of pages."""
    limit = f"pragma max_page_count = {pages}"
    await store.write(lambda connection: connection.execute(limit).fetchone())


async def _fill(store: Store, head: int) -> int:
    """Append until nothing more fits; returns the head of the table."""
    while True:
        (outcome,) = await asyncio.gather(
            store.append(step("T", head, body=bytes(3000))), return_exceptions=True
        )
        if outcome is not None:
            assert isinstance(outcome, StoreFailed)
            assert "full" in str(outcome.message) or "I/O" in str(outcome.message)
            return head
        head += 1


async def test_a_locked_database_fails_writes_until_it_is_unlocked(store: SqliteStore, folder: Path) -> None:
    await store.append(creation("T"))
    await store.write(lambda connection: connection.execute("pragma busy_timeout = 50"))
    with contextlib.closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
        other.execute("begin immediate")
        with pytest.raises(StoreFailed, match="locked"):
            await store.append(step("T", 1))
        with pytest.raises(StoreFailed):
            await store.ready()
        assert await head_of(store, "T") == 1  # reading goes on
        other.execute("rollback")
    await store.append(step("T", 1))


async def test_after_a_failure_of_the_disk_it_begins_with_a_new_connection(
    store: SqliteStore, folder: Path
) -> None:
    await store.append(creation("T"))

    def unplugged(connection: sqlite3.Connection) -> None:
        connection.close()

    with pytest.raises(StoreFailed):
        await store.write(unplugged)
    await store.append(step("T", 1))
    assert await head_of(store, "T") == 2
    await store.read(unplugged)
    with pytest.raises(StoreFailed):
        await head_of(store, "T")
    assert await head_of(store, "T") == 2


async def test_a_closed_loop_does_not_block_the_store(folder: Path) -> None:
    store = SqliteStore(folder)

    def leave() -> None:
        async def ask_and_go() -> None:
            store.append(creation("T"))

        asyncio.run(ask_and_go())

    await asyncio.to_thread(leave)
    await store.append(creation("U"))
    assert await head_of(store, "T") == 1
    await store.close()
