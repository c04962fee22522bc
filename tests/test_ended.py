"""A test that fails or hangs ends by itself, and the tests after it do not notice."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ended import ending
from tests.patience import PATIENCE

_LEAVES_CONNECTIONS = """
import gc
import socket

import pytest

from tests.server.sockets.raw import Raw
from tests.server.sockets.room import joined, room


@pytest.mark.anyio
async def test_leaves_connections() -> None:
    async with room() as here:
        raw, client = await Raw.connect(here.port), await here.call()
        await joined(client, "ann's")
        below = socket.create_connection(("127.0.0.1", here.port))
        assert not (raw, client, below)


def test_does_nothing() -> None:
    gc.collect()
"""


def test_failed_test_leaves_no_warning_to_the_next(tmp_path: Path) -> None:
    root = Path(__file__).parents[1]
    (tmp_path / "test_two.py").write_text(_LEAVES_CONNECTIONS)
    pytest_here = (sys.executable, "-m", "pytest", "-p", "tests.conftest", "-c", f"{root}/pyproject.toml")
    environment = {**os.environ, "PYTHONPATH": str(root)}
    ran = subprocess.run(
        [*pytest_here, str(tmp_path)], env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert "1 failed, 1 passed" in ran.stdout, ran.stdout + ran.stderr
    assert "ResourceWarning" not in ran.stdout


@pytest.mark.anyio
@pytest.mark.parametrize(
    "anyio_backend", [("asyncio", {"use_uvloop": True}), "asyncio"], ids=["uvloop", "asyncio"]
)
async def test_hanging_test_fails() -> None:
    async def hangs() -> None:
        while True:
            await asyncio.sleep(0.001)

    with pytest.raises(TimeoutError) as ended:
        await ending(hangs, 0.05)()
    waited = ended.value.__cause__ or ended.value.__context__
    assert waited is not None
    assert "hangs" in {entry.name for entry in pytest.ExceptionInfo.from_exception(waited).traceback}
