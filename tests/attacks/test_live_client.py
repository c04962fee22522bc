"""A stranger, or a page of another site, listens to what a developer changes (`--client sources`)."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from facedown.web.live import live_pages


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("192.0.2.7", {"Host": "localhost"}),
        ("127.0.0.1", {"Host": "rebound.example.net"}),
        ("127.0.0.1", {"Host": "localhost", "X-Forwarded-For": "127.0.0.1"}),
    ],
)
def test_only_this_computer_hears_of_changes(address: str, headers: dict[str, str]) -> None:
    client = TestClient(Starlette(routes=live_pages()), client=(address, 50_000))

    assert client.get("/live/events", headers=headers).status_code == 404
