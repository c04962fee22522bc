from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect

from tests.web.screenshots.camera import Camera
from tests.web.screenshots.positions import Guest, Set
from tests.web.shell.server_process import ServerProcess, Visitor


@dataclass
class Shown:
    """A person, the browser in which they are seen, and the camera before it."""

    guest: Guest
    visitor: Visitor
    camera: Camera

    def keeps(self, table: Set, seat: int = 1) -> None:
        """Their browser holds the seat that a program took for them."""
        chair = table.chair(seat)
        kept = {"token": chair.token, "entropy": chair.entropy.hex()}
        keep = "([name, value]) => localStorage.setItem(name, value)"
        self.visitor.page.evaluate(keep, [f"facedown.seat.{table.id}.{seat}", json.dumps(kept)])

    def at(self, table: Set, seat: int = 1) -> Camera:
        """At a table, on that seat."""
        self.keeps(table, seat)
        self.goes_to("/about", ".about")  # between two tables: one looks like the other
        return self.goes_to(f"/t/{table.id}", f".table-frame[data-seat='{seat}'] .stage > *")

    def goes_to(self, path: str, there: str) -> Camera:
        """At an address, once it shows what only this screen has."""
        expect(self.visitor.follows(path).locator(there).first).to_be_visible()
        return self.camera


@pytest.fixture(scope="module")
def mara(server: ServerProcess, browser: Browser) -> Iterator[Shown]:
    """The person whom most pictures show."""
    with shown(server, browser) as seen:
        yield seen


@contextmanager
def shown(
    server: ServerProcess, browser: Browser, wide: int = 1440, high: int = 900, *, phone: bool = False
) -> Iterator[Shown]:
    """Mara, on a server, with a browser and the camera."""
    guest = Guest(server.url, "Mara")
    visitor = Visitor(browser, server.url, wide, high, phone=phone)
    visitor.continues_as(guest.bearer)
    visitor.goes_to("/settings")
    visitor.page.evaluate("localStorage.setItem('facedown.known', 'true')")
    yield Shown(guest, visitor, Camera(visitor.page))
    visitor.leaves()


@pytest.fixture(scope="module")
def others(server: ServerProcess) -> list[Guest]:
    """Six to play with."""
    return [Guest(server.url, name) for name in ("Ines", "Ben", "Otto", "Mai", "Rui", "Yusuf")]


@pytest.fixture(autouse=True)
def quiet(mara: Shown) -> Iterator[None]:
    """Every test finds the page at the same size; no picture is taken of one that complains."""
    mara.camera.stands_first()
    yield
    complaints = [*mara.visitor.complaints]
    mara.visitor.complaints.clear()
    assert complaints == []
