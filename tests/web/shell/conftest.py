from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.shell.server_process import ServerProcess, Visitor

Comes = Callable[..., Visitor]


@pytest.fixture
def comes(server: ServerProcess, browser: Browser) -> Iterator[Comes]:
    """Makes visitors: `comes(wide=360, phone=True)`. Fails if a browser console reported anything."""
    visitors: list[Visitor] = []

    def come(**how: object) -> Visitor:
        visitors.append(Visitor(browser, server.url, **how))  # type: ignore[arg-type]  # checked by Visitor
        return visitors[-1]

    yield come
    complaints = [each for visitor in visitors for each in visitor.complaints]
    for visitor in visitors:
        visitor.leaves()
    assert complaints == [], server.log.read_text()[-2000:]
