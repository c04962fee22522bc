"""What all tests share: the same examples every time, a working Ctrl-C, nothing left behind."""

from __future__ import annotations

import gc
import inspect
import os
import signal
import tempfile
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from websockets.asyncio import client as asyncio_client
from websockets.sync import client as sync_client

from facedown.client.blocking import BlockingTable
from facedown.client.rest import RestClient
from facedown.client.table import ServerTable
from facedown.core import registry
from tests.collection import Doctests, spread
from tests.ended import ending, free_silently
from tests.patience import PATIENCE
from tests.server import forked

# Hypothesis finds the same examples in every run and on every machine.
settings.register_profile("facedown", derandomize=True, deadline=None, database=None)
settings.load_profile("facedown")
# It takes no constants from imported modules: which ones are imported depends on the tests that ran before.
providers._get_local_constants = lambda: providers._local_constants

# Our own clients and those of websockets would give up after 10 to 60 seconds.
_connecting: tuple[Any, ...] = (asyncio_client.connect.__init__, sync_client.connect)
for _call in _connecting:
    _call.__kwdefaults__ |= {"open_timeout": PATIENCE, "ping_timeout": PATIENCE}
_calling: Any = RestClient.__init__
_calling.__kwdefaults__ |= {"timeout": PATIENCE}
for _wait in (ServerTable.open, BlockingTable.open, ServerTable.wait_for):
    _wait.__defaults__ = (PATIENCE,)

# Bots seal at once: no person watches them think.
os.environ.setdefault("FACEDOWN_MACHINE_PAUSE", "0")

# Started in the background of a script, this process and its children would ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# The same for the end of a terminal, which `nohup` hides.
if os.name == "posix":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def _use_usable_temporary_folder() -> None:
    """Fall back to `/tmp` if TMPDIR is too long for Unix sockets or closed to the user PostgreSQL runs as."""
    folder = Path(tempfile.gettempdir())
    is_closed = os.getuid() == 0 and any(
        not each.stat().st_mode & 0o001 for each in (folder, *folder.parents)
    )
    if len(str(folder)) > 50 or is_closed:
        os.environ["TMPDIR"] = tempfile.tempdir = "/tmp"


if os.name == "posix":
    _use_usable_temporary_folder()

_LONG = tuple(
    Path(__file__).parent / name
    for name in (
        *("web/whole/test_offline.py", "test_static_checks.py", "server/crash", "server/conversation"),
        *("nodes", "web/whole", "web", "suites", "terminal/screens", "test_docs.py"),
    )
)
"""The tests that take longest: they are spread over all workers and begin first, so that no core waits for
one of them at the end."""
_SINGLE = 4
"""How many of these are spread test by test; the others are spread file by file."""


def pytest_configure(config: pytest.Config) -> None:
    """Skip files without doctests when doctests are collected."""
    config.pluginmanager.register(Doctests())


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Hide what was imported and collected from the garbage collector: 2 CPU seconds less in each worker."""
    gc.disable()
    try:
        if hasattr(session.config, "workerinput") and session.config.args_source.name == "TESTPATHS":
            _import_from_different_ends(session.config.workerinput)
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _import_from_different_ends(worker: dict[str, Any]) -> None:
    """Import all tests, each worker beginning elsewhere.

    In a fresh clone each compiles its share for all; in the same order, each would compile everything.
    """
    here = Path(__file__).parent
    found = sorted(path for path in here.rglob("test_*.py") if "node_modules" not in path.parts)
    begin = len(found) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for path in found[begin:] + found[:begin]:
        with suppress(Exception, pytest.skip.Exception):  # collecting it will show why
            import_module(".".join(path.relative_to(here.parent).with_suffix("").parts))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests first, in every worker."""
    places: dict[Path, int] = {}
    for path in {item.path for item in items}:
        places[path] = next((at for at, each in enumerate(_LONG) if path.is_relative_to(each)), len(_LONG))
    items.sort(key=lambda item: places[item.path])
    long = [item for item in items if places[item.path] < len(_LONG)]
    groups = groupby(long, lambda item: item.nodeid if places[item.path] < _SINGLE else item.path)
    workers = config.workerinput["workercount"] if hasattr(config, "workerinput") else 1
    items[:] = spread([list(group) for _, group in groups], items[len(long) :], workers)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """End an asynchronous test that hangs, before pytest-timeout does: uvloop swallows its signal."""
    limit = float(os.environ.get("PYTEST_TIMEOUT", 0))
    if limit and inspect.iscoroutinefunction(pyfuncitem.obj):
        pyfuncitem.obj = ending(pyfuncitem.obj, 0.8 * limit)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Free what a failed test left open before the next test begins."""
    failed = item.session.testsfailed
    result = yield
    if item.session.testsfailed > failed:
        free_silently()
    return result


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def measure_tests_and_servers_only() -> None:
    """Coverage includes the tests and the servers they start, but not the other programs they start."""
    if "COVERAGE_PROCESS_CONFIG" in os.environ:
        os.environ[forked.COVERAGE] = os.environ.pop("COVERAGE_PROCESS_CONFIG")


@pytest.fixture(autouse=True)
def no_table_is_left_connected(request: pytest.FixtureRequest) -> Iterator[None]:
    """A table that a test forgot to close would keep reconnecting during other tests."""
    before, failed = set(threading.enumerate()), request.session.testsfailed
    yield
    if request.session.testsfailed > failed:
        return  # it may not have reached the line that closes them
    left = [each for each in set(threading.enumerate()) - before if each.name == "facedown table"]
    for each in left:
        each.join(PATIENCE)
    assert not [each for each in left if each.is_alive()], "this test left a table without closing it"


@pytest.fixture(autouse=True)
def games_of_a_test_are_forgotten() -> Iterator[None]:
    """A game that one test registers is unknown to the next."""
    yield
    registry._added.clear()
