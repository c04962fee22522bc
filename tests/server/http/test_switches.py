"""What an operator has switched off is not there, and the page says nothing of it; games go on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from facedown.server.settings import SWITCHES
from tests.patience import PATIENCE
from tests.server.http.client import Caller, meeting, sit_down
from tests.server.running import Server

TICKET: dict[str, Any] = {"game": "ecard", "clock": {"kind": "decision", "seconds": 30}}


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which everything is off."""
    off = {f"FACEDOWN_{name.upper()}": "off" for name in SWITCHES}
    running = Server(tmp_path_factory.mktemp("quiet") / "data", FACEDOWN_SIGN_UP="closed", **off).start()
    yield running
    running.close()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/pairing/ticket", TICKET),
        ("DELETE", "/pairing/ticket", None),
        ("GET", "/pairing/ticket", None),
        ("GET", "/tournaments", None),
        ("GET", "/standings/ecard", None),
        ("GET", "/tables?state=open", None),
        ("GET", "/people/ann", None),
    ],
)
def test_what_is_off_is_not_there(quiet: Server, method: str, path: str, body: Any) -> None:
    with Caller(quiet.base) as ann:
        ann.begin("Ann")
        assert ann.refused(method, path, body) == (404, "switched_off")


def test_the_page_knows_what_is_off(quiet: Server, server: Server) -> None:
    off = 'data-off="pairing tournaments public_lists ratings sign_up"'
    assert off in httpx2.get(f"{quiet.base}/", timeout=PATIENCE).text
    assert 'data-off=""' in httpx2.get(f"{server.base}/", timeout=PATIENCE).text


def test_people_play_on_with_a_link(quiet: Server) -> None:
    with meeting(quiet.base) as meet:
        ann, bob = meet("Ann"), meet("Bob")
        assert ann.refused("POST", "/account/code", {"handle": "ann_here"}) == (403, "sign_up_closed")
        table = sit_down(ann, bob)
        assert ann.see(table)["table"]["state"] == "playing"
        assert [each["table"] for each in ann.ok("GET", "/tables?mine=true")["tables"]] == [table]
