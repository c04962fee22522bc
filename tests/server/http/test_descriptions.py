"""The descriptions of the API as files."""

from __future__ import annotations

import urllib.error
import urllib.request

import pytest

from tests.patience import PATIENCE
from tests.server.running import Server


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("openapi.json", 45_000),
        ("schema.json", 20_000),
    ],
)
def test_descriptions_are_sent_compressed_and_once(server: Server, path: str, most: int) -> None:
    address = f"{server.base}/api/{path}"
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        size, tag = len(answer.read()), answer.headers["ETag"]
        policy = answer.headers["Content-Security-Policy"]

    assert size < most
    assert "unsafe" not in policy
    again = urllib.request.Request(address, headers={"If-None-Match": tag})
    with (
        pytest.raises(urllib.error.HTTPError) as refused,
        urllib.request.urlopen(again, timeout=PATIENCE),
    ):
        pass
    assert refused.value.code == 304
    refused.value.close()
