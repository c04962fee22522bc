from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Request

from tests.web.shell.conftest import comes
from tests.web.shell.server_process import ServerProcess, Visitor

__all__ = ["comes", "invites"]

Invites = Callable[..., list[Visitor]]


@pytest.fixture
def invites(comes: Callable[..., Visitor], server: ServerProcess) -> Iterator[Invites]:
    """Lets several come by: `invites(3)`. At the end no page may have asked anything of a foreign host."""
    foreign: list[str] = []

    def note(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.hostname != urlsplit(server.url).hostname:
            foreign.append(request.url)

    def invite(many: int = 1, **how: object) -> list[Visitor]:
        visitors = [comes(**{"wide": 400, "high": 700, **how}) for _ in range(many)]
        for visitor in visitors:
            visitor.context.on("request", note)
        return visitors

    yield invite
    assert foreign == []
