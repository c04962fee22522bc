"""Tables for whole games: made over the API, sat down at by pages, or first played on by programs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import expect

from facedown.core.chance import entropy_commitment
from tests.server.programs import Chair, ask, open_body, pick_body
from tests.web.shell.server_process import Visitor, visit

Hands = dict[int, list[str]]
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus")


@dataclass(frozen=True, slots=True)
class Table:
    """A table, and how to get there."""

    base: str
    id: str
    invite: str
    host: str
    """The bearer token of the person who created it."""

    @property
    def address(self) -> str:
        """Where the table is, for a browser."""
        return f"{self.base}/t/{self.id}"

    @property
    def invitation(self) -> str:
        """The link for friends."""
        return f"{self.base}/i/{self.invite}"

    def record(self) -> dict[str, Any]:
        """The game as it was written down."""
        return ask(self.base, "GET", f"/tables/{self.id}/record", None, self.host)


def make(base: str, game: str, rules: str, seats: int, **more: object) -> Table:
    """A table for this number of people; every seat is free."""
    host = str(ask(base, "POST", "/session", {"kind": "program"})["token"])
    order = {"game": game, "rules": rules, "seats": [{"kind": "person"}] * seats, "watch": "anyone", **more}
    made = ask(base, "POST", "/tables", order, host)
    return Table(base, made["table"], made["invite"], host)


def sits_down(visitor: Visitor, table: Table, name: str) -> None:
    """Opens the invitation and takes the first free seat, by keyboard."""
    page = visitor.page
    visit(page, f"{visitor.url}/i/{table.invite}")
    field = page.get_by_label("Your name")
    field.fill(name)
    field.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table-frame")


def all_sit(visitors: Sequence[Visitor], table: Table) -> None:
    """Everybody takes a seat, in order, and the game begins."""
    for visitor, name in zip(visitors, NAMES, strict=False):
        sits_down(visitor, table, name)
    for visitor in visitors:
        expect(visitor.page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()


# --- played by programs first --------------------------------------------------------------------------


def reach(
    base: str,
    game: str,
    rules: str,
    seats: int,
    plan: Callable[[Hands], dict[int, str]],
    there: Callable[[Hands], bool],
    tries: int = 200,
) -> tuple[Table, list[Chair]]:
    """A table that programs have played up to a position; new ones until it is reached.

    On a server of `FIXED_SALT` all deals are fixed: with the right salt, the first game gets there.
    """
    for number in range(1, tries + 1):
        table = make(base, game, rules, seats)
        chairs = [_sit(table, seat, number) for seat in range(1, seats + 1)]
        for chair in chairs:
            _do(chair, open_body(chair))
        if _play(chairs, plan, there):
            print(f"game {number} of {rules} got there")
            return table, chairs
    raise AssertionError(f"{tries} games of {rules}, and none came to where the test begins")


def continues(visitor: Visitor, chair: Chair, person: str) -> None:
    """A browser goes on as the person who holds this seat; by which buttons is tried in test_troubles."""
    ask(chair.base, "PATCH", "/session", {"name": person}, chair.bearer)
    visitor.url = chair.base
    visitor.continues_as(chair.bearer)
    visitor.page.add_init_script("localStorage['facedown.known'] = true")
    visit(visitor.page, f"{visitor.url}/t/{chair.table}")
    expect(visitor.page.locator(f".table-frame[data-seat='{chair.seat}'] .stage > *")).to_be_visible()


def seals(chair: Chair, pick: str) -> str:
    """A program seals a pick; the nonce that its seal hides behind."""
    body = pick_body(chair, _seen(chair)["table"]["turn"]["decision"], pick)
    _do(chair, body)
    return str(body["nonce"])


def hand(chair: Chair) -> list[str]:
    """The cards that a program holds."""
    cards: list[str] = _seen(chair)["view"]["hand"]
    return cards


def _sit(table: Table, seat: int, number: int) -> Chair:
    bearer = str(ask(table.base, "POST", "/session", {"kind": "program"})["token"])
    entropy = hashlib.sha256(f"{number} {seat}".encode()).digest()
    commit = entropy_commitment(table.id, seat, entropy).hex()
    body = {"seat": seat, "commit": commit}
    sat = ask(table.base, "POST", f"/invites/{table.invite}/join", body, bearer)
    return Chair(table.base, table.id, seat, sat["token"], bearer, entropy)


def _do(chair: Chair, command: dict[str, Any]) -> None:
    path = f"/tables/{chair.table}/commands"
    ask(chair.base, "POST", path, command, chair.bearer, Facedown_Seat=chair.token)


def _play(
    chairs: list[Chair], plan: Callable[[Hands], dict[int, str]], there: Callable[[Hands], bool]
) -> bool:
    while True:
        snaps = {chair.seat: _seen(chair) for chair in chairs}
        first = snaps[1]
        if first["table"]["state"] != "playing":
            return False
        hands = {seat: snap["view"]["hand"] for seat, snap in snaps.items()}
        if not all(hands.values()):  # a seat is out already: past the wanted position
            return False
        if there(hands):
            return True
        picks = plan(hands)
        for chair in chairs:
            _do(chair, pick_body(chair, first["table"]["turn"]["decision"], picks[chair.seat]))


def _seen(chair: Chair) -> dict[str, Any]:
    return ask(chair.base, "GET", f"/tables/{chair.table}", None, chair.bearer, Facedown_Seat=chair.token)


def sealed(table: Table) -> list[list[str]]:
    """What the record says that each seat picked, in order."""
    record = table.record()
    seats = range(len(record["seats"]))
    return [[str(joint[seat]) for joint in record["picks"] if joint[seat] is not None] for seat in seats]
