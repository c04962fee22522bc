"""Page spy: what a page received or keeps: frames, bodies, markup, storage, memory as a heap snapshot."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from playwright.sync_api import Error, Page, Response, WebSocket

_STATIC: Final = ("/v/", "/sw.js", "/manifest")
"""The same bytes for everybody."""
_KEPT: Final = """async () => {
  const filed = [];
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) filed.push(request.url);
  }
  const kept = [{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, document.title];
  if ((await indexedDB.databases()).length > 0) throw new Error('a database that this spy does not read');
  return JSON.stringify([...kept, filed]);
}"""
_PATHS: Final = re.compile(r'\s(?:d|points)="[^"]*"')
"""Drawings: `7H` is a line to them, too."""
_SUITS: Final = {"C": ("♣", "clubs"), "D": ("♦", "diamonds"), "H": ("♥", "hearts"), "S": ("♠", "spades")}
_NAMES: Final = ("Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_RANKS: Final = dict(zip("A23456789TJQK", (*_NAMES, "Jack", "Queen", "King"), strict=True))


class PageSpy:
    """Listens to a page from before it opens anything."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[str] = []
        self._responses: list[Response] = []
        page.on("websocket", self._socket)
        page.on("response", lambda each: self._responses.append(each))

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def bodies(self) -> list[str]:
        """What came over HTTP, but for the files that are the same for everybody."""
        return [_body(each) for each in self._responses if not _static(each)]

    def markup(self) -> str:
        """The page as it stands, without the lines of its drawings."""
        return _PATHS.sub("", str(self.page.evaluate("document.documentElement.outerHTML")))

    def kept(self) -> str:
        """All storage that a page has."""
        return str(self.page.evaluate(_KEPT))

    def all(self) -> dict[str, str]:
        """Everything, by where it was found."""
        return {
            "frames": "\n".join(self.frames),
            "bodies": "\n".join(self.bodies()),
            "markup": self.markup(),
            "storage": self.kept(),
        }

    def memory(self) -> list[str]:
        """Every string in the page's memory."""
        chunks: list[str] = []
        session = self.page.context.new_cdp_session(self.page)
        session.on("HeapProfiler.addHeapSnapshotChunk", lambda each: chunks.append(each["chunk"]))
        session.send("HeapProfiler.enable")
        session.send("HeapProfiler.collectGarbage")
        session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
        session.detach()
        strings: list[str] = json.loads("".join(chunks))["strings"]
        return strings

    def holds(self, cards: set[str]) -> set[str]:
        """Which cards are in the page's memory: as strings of their own, or inside of what was sent."""
        strings = self.memory()
        whole = set(strings)
        return {
            card
            for card in cards
            if {card, f"x{card}"} & whole or any(f'"{card}"' in each for each in strings)
        }


def _static(response: Response) -> bool:
    path = re.sub(r"^\w+://[^/]+", "", response.url)
    return path.startswith(_STATIC)


def _body(response: Response) -> str:
    try:
        return response.text()
    except Error:
        return ""  # a redirect, or an answer without a body


def shown_as(card: str) -> str:
    """A card as a page writes it: 10♥."""
    return f"{'10' if card[0] == 'T' else card[0]}{_SUITS[card[1]][0]}"


def spoken(card: str) -> str:
    """A card as a voice reads it: Ten of hearts."""
    return f"{_RANKS[card[0]]} of {_SUITS[card[1]][1]}"


def found(card: str, text: str) -> bool:
    """Whether a card is written anywhere in a text: as the wire, as the page or as a voice would write it."""
    wire = re.search(rf"(?<![0-9A-Za-z])x?{card}(?![0-9A-Za-z.\-])", text)
    return bool(wire) or shown_as(card) in text or spoken(card) in text


def leaks(secrets: Iterable[str], texts: dict[str, str]) -> list[tuple[str, str]]:
    """Which cards are found, and where."""
    return [(card, where) for card in secrets for where, text in texts.items() if found(card, text)]
