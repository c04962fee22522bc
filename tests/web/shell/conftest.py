from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.shell import served_copy as copies
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


@pytest.fixture(scope="package")
def served_copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[copies.ServedCopy]:
    """The one server of a copy of the package in this folder."""
    with copies.served_copy(tmp_path_factory.mktemp("copy")) as found:
        yield found
