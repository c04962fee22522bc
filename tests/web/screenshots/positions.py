"""Tables in the position that a picture wants: programs sit on every seat, one of them is seen in a browser.

Speaks to the server over REST alone, and looks into all hands at once.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from facedown.core.chance import entropy_commitment
from tests.server.programs import Chair, ask, open_body, pick_body

_ORDER: Final = "A23456789TJQK"


@dataclass
class Guest:
    """A person with a bearer token."""

    base: str
    name: str
    bearer: str = ""

    def __post_init__(self) -> None:
        made = ask(self.base, "POST", "/session", {"name": self.name, "kind": "program"})
        self.bearer = made["token"]

    def code(self) -> str:
        """With which a browser goes on as this person, once it was let in."""
        return str(ask(self.base, "POST", "/session/handover", None, self.bearer)["code"])

    def lets_in(self, digits: str) -> None:
        """The device that shows these digits."""
        answer = {"digits": digits, "allow": True}
        ask(self.base, "POST", "/session/handover/answer", answer, self.bearer)


@dataclass
class Set:
    """A table and who sits at it."""

    base: str
    id: str
    invite: str
    host: str = ""
    """The bearer token of the person who created it."""
    chairs: list[Chair] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Where it is, for a browser."""
        return f"{self.base}/t/{self.id}"

    def record(self) -> dict[str, Any]:
        """The game as it was written down."""
        return ask(self.base, "GET", f"/tables/{self.id}/record", None, self.host)

    def sits(self, guest: Guest, seat: int) -> Chair:
        """Take a seat by invitation."""
        entropy = hashlib.sha256(f"seat {seat}".encode()).digest()
        commit = entropy_commitment(self.id, seat, entropy).hex()
        body = {"seat": seat, "commit": commit, "invite": self.invite}
        sat = ask(self.base, "POST", f"/tables/{self.id}/join", body, guest.bearer)
        self.chairs.append(Chair(self.base, self.id, seat, sat["token"], guest.bearer, entropy))
        return self.chairs[-1]

    def snap(self, chair: Chair) -> dict[str, Any]:
        """How the table looks from a seat."""
        return ask(self.base, "GET", f"/tables/{self.id}", None, chair.bearer, Facedown_Seat=chair.token)

    def does(self, chair: Chair, body: dict[str, Any]) -> None:
        """A command of a seat."""
        path = f"/tables/{self.id}/commands"
        ask(self.base, "POST", path, body, chair.bearer, Facedown_Seat=chair.token)

    def says(self, chair: Chair, text: str) -> None:
        """One sentence to the table."""
        self.does(chair, {"id": secrets.token_hex(8), "do": "say", "text": text})

    def opens(self) -> None:
        """Every seat opens its random bytes; then the cards are dealt."""
        for chair in self.chairs:
            self.does(chair, open_body(chair))

    def hand(self, seat: int) -> list[str]:
        """The cards that a seat holds."""
        cards: list[str] = self.snap(self.chair(seat))["view"]["hand"]
        return cards

    def seals(self, seat: int, pick: str) -> str:
        """One seat seals; the nonce that its seal hides behind."""
        chair = self.chair(seat)
        body = pick_body(chair, self.snap(chair)["table"]["turn"]["decision"], pick)
        self.does(chair, body)
        return str(body["nonce"])

    def reveals_once(self) -> None:
        """The first decision, with whatever may be played."""
        while (turn := self.snap(self.chairs[0])["table"]["turn"])["decision"] == 1:
            chair = self.chair(turn["may_seal"][0])
            self.does(chair, pick_body(chair, 1, self.snap(chair)["legal"][0]))

    def resigns(self, seat: int) -> None:
        """One seat gives the game up."""
        chair = self.chair(seat)
        turn = self.snap(chair)["table"]["turn"]
        self.does(chair, {"id": secrets.token_hex(8), "do": "resign", "decision": turn["decision"]})

    def closes(self) -> None:
        """The host closes a table whose game has not begun."""
        self.does(self.chair(1), {"id": secrets.token_hex(8), "do": "close"})

    def chair(self, seat: int) -> Chair:
        """The one at a seat."""
        return next(each for each in self.chairs if each.seat == seat)

    def plays(self, *joints: Sequence[str]) -> None:
        """Whole decisions: a pick for every seat, in whatever order they may be placed."""
        for joint in joints:
            open_seats = set(range(1, len(joint) + 1))
            while open_seats:
                turn = self.snap(self.chairs[0])["table"]["turn"]
                seat = min(open_seats & set(turn["may_seal"]))
                chair = self.chair(seat)
                self.does(chair, pick_body(chair, turn["decision"], joint[seat - 1]))
                open_seats.remove(seat)

    def plays_out(self, choose: Callable[[Sequence[str]], str]) -> None:
        """To the end of the game: every seat picks what `choose` takes of what is legal."""
        while (table := self.snap(self.chairs[0])["table"])["state"] == "playing":
            for seat in table["turn"]["may_seal"]:
                self.seals(seat, choose(self.snap(self.chair(seat))["legal"]))


def joined(base: str, table: str, invitation: str, name: str = "Ines", seat: int = 2) -> Set:
    """A program takes a seat by an invitation, and the game begins if it is the last free one."""
    laid = Set(base, table.rpartition("/")[2], invitation.rpartition("/")[2])
    laid.sits(Guest(base, name), seat)
    laid.opens()
    return laid


def lay(host: Guest, game: str, others: Sequence[Guest], rules: str = "", **more: object) -> Set:
    """A table at which everybody sits and the cards are dealt."""
    laid = lay_open(host, game, 1 + len(others), rules, **more)
    for seat, guest in enumerate([host, *others], start=1):
        laid.sits(guest, seat)
    laid.opens()
    return laid


def lay_open(host: Guest, game: str, seats: int, rules: str = "", **more: object) -> Set:
    """A table with every seat free."""
    order = {"game": game, "rules": rules, "seats": [{"kind": "person"}] * seats, "watch": "anyone", **more}
    made = ask(host.base, "POST", "/tables", order, host.bearer)
    return Set(host.base, made["table"], made["invite"], host.bearer)


def rank(card: str) -> int:
    """From 1, the Ace, to 13, the King; of a pick, the card that it names."""
    return _ORDER.index(card[-2]) + 1
