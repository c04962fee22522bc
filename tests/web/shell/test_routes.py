"""The client's addresses: the pages of the server and the routes of the client are the same."""

from __future__ import annotations

import re
from pathlib import Path

import facedown
from facedown.web.serve import PAGES

ROUTER = Path(facedown.__file__).parent / "web/app/router.js"


def test_every_page_of_the_server_is_a_route_of_the_client() -> None:
    text = ROUTER.read_text(encoding="utf-8")
    routes = re.findall(r'^  \["(/[^"]*)", "\w+"\],$', text, flags=re.MULTILINE)

    assert sorted(routes) == sorted(PAGES)
