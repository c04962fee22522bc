"""Tables for whole games: pages sit down at them, or go on where programs sat down."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import expect

from tests.web.screenshots.positions import Guest, Set, lay, lay_open
from tests.web.shell.server_process import Visitor, visit

NAMES = ("Ann", "Bo", "Cy")


def make(base: str, game: str, rules: str, seats: int, **more: object) -> Set:
    """A table for this number of people; every seat is free."""
    return lay_open(Guest(base, "Host"), game, seats, rules, **more)


def dealt(base: str, game: str, rules: str, seats: int) -> Set:
    """A table of programs with these names, at which the cards are dealt."""
    host, *others = (Guest(base, name) for name in NAMES[:seats])
    return lay(host, game, others, rules)


def sits_down(visitor: Visitor, table: Set, name: str) -> None:
    """Opens the invitation and takes the first free seat, by keyboard."""
    page = visitor.page
    visit(page, f"{visitor.url}/i/{table.invite}")
    field = page.get_by_label("Your name")
    field.fill(name)
    field.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table-frame")


def all_sit(visitors: Sequence[Visitor], table: Set) -> None:
    """Everybody takes a seat, in order, and the game begins."""
    for visitor, name in zip(visitors, NAMES, strict=False):
        sits_down(visitor, table, name)
    for visitor in visitors:
        expect(visitor.page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()


def continues(visitor: Visitor, table: Set, seat: int) -> None:
    """A browser goes on as the person who holds this seat; by which buttons is tried in test_troubles."""
    visitor.url = table.base
    visitor.continues_as(table.chair(seat).bearer)
    visitor.page.add_init_script("localStorage['facedown.known'] = true")
    visit(visitor.page, table.address)
    expect(visitor.page.locator(f".table-frame[data-seat='{seat}'] .stage > *")).to_be_visible()


def sealed(table: Set) -> list[list[str]]:
    """What the record says that each seat picked, in order."""
    record = table.record()
    seats = range(len(record["seats"]))
    return [[str(joint[seat]) for joint in record["picks"] if joint[seat] is not None] for seat in seats]
