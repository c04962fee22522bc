from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.chromium import chromium
from tests.web.shell.server_process import ServerProcess


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The one browser of all tests in this folder; without one they are skipped with a reason."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The one server of all tests in this folder: no test leaves an open table in its lobby."""
    served = ServerProcess(tmp_path_factory.mktemp("server"))
    served.start()
    yield served
    served.stop()
