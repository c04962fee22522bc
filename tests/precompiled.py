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
    new = [path for path in tests if rewrite._read_pyc(path, _kept(path)) is None]
    if len(new) < _WORTHWHILE:
        return
    _Rewriting.config = config
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as processors:
        processors.map(_rewrite, new, 8)
        processors.map(_compile, every - tests, 8)


class _Rewriting:
    """What forked processes inherit."""

    config: pytest.Config


def _kept(path: Path) -> Path:
    return rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}"


def _rewrite(path: Path) -> None:
    config, kept = _Rewriting.config, _kept(path)
    if rewrite.try_makedirs(kept.parent):
        stat, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, stat, kept)


def _compile(path: Path) -> None:
    compileall.compile_file(path, quiet=2)
