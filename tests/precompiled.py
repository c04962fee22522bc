"""Compiles a fresh clone's files before the workers of a run start, each of which would compile them all.

Pytest rewrites the assertions of every test, which takes longest; it keeps what it made, as Python does.
"""

from __future__ import annotations

import compileall
import multiprocessing
import os
import sys
from pathlib import Path
from typing import Final

import pytest
from _pytest.assertion import rewrite

_TESTS: Final = Path(__file__).parent
_SOURCES: Final = _TESTS.parent / "src"
_WORTHWHILE: Final = 50
"""Files, from which on it is done: fewer are compiled by the way."""


def precompile(config: pytest.Config) -> None:
    """Compile what is not compiled yet, on all processors, if this process is about to start workers."""
    starts_workers = bool(config.getoption("numprocesses", default=None))
    if not starts_workers or sys.dont_write_bytecode or sys.platform != "linux":
        return
    every = {*_SOURCES.rglob("*.py"), *_TESTS.rglob("*.py")}
    tests = {path for path in every if path.name.startswith("test_") or path.name == "conftest.py"}
    new = [path for path in sorted(tests) if rewrite._read_pyc(path, _kept(path)) is None]
    if len(new) < _WORTHWHILE:
        return
    at_once, others = os.cpu_count() or 1, sorted(every - tests)
    forks = multiprocessing.get_context("fork")
    processes = [
        forks.Process(target=_compile_all, args=(config, new[each::at_once], others[each::at_once]))
        for each in range(at_once)
    ]  # no pool: it ends them by a signal that a run takes for an interruption, and once waited for ever
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _compile_all(config: pytest.Config, tests: list[Path], others: list[Path]) -> None:
    for path in tests:
        _rewrite(config, path)
    for path in others:
        compileall.compile_file(path, quiet=2)


def _kept(path: Path) -> Path:
    return rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}"


def _rewrite(config: pytest.Config, path: Path) -> None:
    kept = _kept(path)
    if rewrite.try_makedirs(kept.parent):
        stat, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, stat, kept)
