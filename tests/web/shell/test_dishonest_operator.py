"""A dishonest operator against the real page: an alarm is shown at once, and nothing more is sent.

The operator runs an honest table in this process, and may send the page any link, signed with its key. Every
other cheat is in unit/witness.test.mjs, and honest games with forfeits are in test_honest_games.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from facedown.cli.main import main
from facedown.core.links import leaf_of_log
from facedown.core.merkle import consistency_path, inclusion_path
from facedown.proof.log import LogProof
from facedown.protocol.messages import Cmd, Ev, Hello, Snap, decode_client_message, encode
from facedown.protocol.rest import TableOrder
from tests.attacks.operator import FRIEND, KEY, ME, PRIVATE, Operator, blind, ordinary
from tests.core.test_log import ENTRIES, Log
from tests.server.playing import entropy_of
from tests.server.running import until
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import Visitor, places_first


class PageOperator(Operator):
    """The table, and the page of seat 1."""

    def __init__(self, visitor: Visitor, asked: TableOrder, key: str = KEY) -> None:
        super().__init__(asked)
        self.page = visitor.page
        self._to_page: WebSocketRoute | None = None
        table = self.bench.table
        for seat in (ME, FRIEND):
            self.bench.sit(seat)
        kept = f"{{token: 'token', entropy: '{entropy_of(ME).hex()}', at: Date.now()}}"
        self.page.add_init_script(f"localStorage['facedown.seat.{table}.{ME}'] = JSON.stringify({kept})")
        keys = {"origin": "", "key": key, "changes": []}
        self.page.route("**/.well-known/facedown.json", lambda route: route.fulfill(json=keys))
        entry = leaf_of_log("table", table, self.bench.state.heads[0])
        self.log = Log([*ENTRIES[:7], entry])
        self.page.route("**/api/v1/log/**", self._answer_log)
        self.page.route_web_socket("**/ws/v1/*", self._connect)
        visitor.goes_to(f"/t/{table}")

    def _answer_log(self, route: Route) -> None:
        """What the operator's public log of 8 entries proves: that the last one is this table."""
        asked = {
            name: int(value) for name, value in parse_qsl(urlsplit(route.request.url).query) if name != "leaf"
        }
        if asked:
            path = self.log.hashes(consistency_path(asked["old"], asked["new"]))
            route.fulfill(json={"path": [each.hex() for each in path]})
        else:
            proof = LogProof(7, self.log.hashes(inclusion_path(7, 8)), self.log.checkpoint(8).sign(PRIVATE))
            route.fulfill(json={"proof": str(proof)})

    def _connect(self, line: WebSocketRoute) -> None:
        self._to_page = line
        line.on_message(self._hear)

    def _hear(self, said: str | bytes) -> None:
        message = decode_client_message(said.encode() if isinstance(said, str) else said)
        if isinstance(message, Hello):
            self.do(self.greet())
        elif isinstance(message, Cmd) and message.id not in {each.id for each in self.line.sent}:
            self.line.sent.append(message)

    async def _give(self, message: Any) -> None:
        assert self._to_page is not None
        if isinstance(message, Ev | Snap):
            self.victim.mirror.v = message.v
        self._to_page.send(encode(message).decode())

    def do(self, what: Coroutine[Any, Any, None]) -> None:
        """Run what never waits: the page is another process."""
        with pytest.raises(StopIteration):
            what.send(None)

    def waits_for(self, *commands: str) -> None:
        """Until the page has sent these commands, and no others."""
        until(lambda: self.page.evaluate("1") and self.sent == list(commands))

    def begins(self) -> None:
        """Everyone opens; the cards are dealt."""
        self.waits_for("open")
        self.do(self.obey())
        self.bench.open(FRIEND)
        self.do(self.show())

    def page_places(self) -> None:
        """The page seals its first card, and the operator acknowledges it."""
        places_first(self.page)
        self.waits_for("pick")
        self.do(self.obey())

    def is_caught(self, say: str, folder: Path) -> bool | None:
        """The page shows its alarm and sends nothing more; whether its evidence proves that alone."""
        expect(self.page.get_by_role("alert")).to_contain_text(say)
        self.line.sent.clear()
        self.page.keyboard.press("1")
        self.page.keyboard.press("Enter")
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Save the evidence").click()
        download.value.save_as(folder / "evidence.json")
        assert self.line.sent == []
        evidence = (folder / "evidence.json").read_bytes()
        assert json.loads(evidence)["memory"].get("entropy") is None
        return {0: True, 3: None, 1: False}[main(["verify", "--evidence", str(folder / "evidence.json")])]


def the_clocks_pick(table: PageOperator) -> None:
    """F2: the pick was acknowledged, and the clock's is played instead."""
    table.begins()
    table.page_places()
    table.do(table.claim("sealed", 1, ME, "clock", "5e" * 32))


def a_seal_after_the_opening(table: PageOperator) -> None:
    """F3: the friend's seal is exchanged once the victim has opened its pick."""
    table.begins()
    table.page_places()
    table.do(table.show())
    table.friend_seals()
    table.do(table.show())
    table.waits_for("reveal")
    table.do(table.claim("sealed", 1, FRIEND, "person", "5e" * 32))


@pytest.mark.parametrize(
    ("asked", "cheat", "say"),
    [
        (ordinary(), the_clocks_pick, "was exchanged"),
        (blind(), a_seal_after_the_opening, "than the rules do"),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_a_cheat_is_shown_and_proven(
    comes: Comes, asked: TableOrder, cheat: Callable[[PageOperator], None], say: str, tmp_path: Path
) -> None:
    table = PageOperator(comes(), asked)
    cheat(table)
    assert table.is_caught(say, tmp_path) is True


def test_two_histories_of_the_public_log_stop_play(comes: Comes, tmp_path: Path) -> None:
    """The page has seen another log of this operator: beside play it notices, and its evidence proves it."""
    visitor = comes()
    seen = json.dumps(Log(ENTRIES[::-1]).checkpoint(5).sign(PRIVATE))
    visitor.page.add_init_script(f"localStorage['facedown.server_log'] ??= {json.dumps(seen)}")
    table = PageOperator(visitor, ordinary())
    table.begins()
    assert table.is_caught("public log", tmp_path) is True


def test_a_page_opens_nothing_before_everyone_who_is_due_has_sealed(comes: Comes) -> None:
    """F3: what counts is the page's own chain, and the rules; not the server's word for who is awaited."""
    table = PageOperator(comes(), blind())
    table.begins()
    table.page_places()
    table.do(table.show())
    snap = table.snapshot()
    assert snap.table.turn is not None
    for waiting in ((), ((1,),), ((1, 2),)):
        turn = replace(snap.table.turn, waiting=waiting, to_open=(1,), open_until=1, may_seal=())
        table.do(table._give(replace(snap, table=replace(snap.table, turn=turn))))
    _settle(table.page)
    assert table.sent == []
    table.friend_seals()
    table.do(table.show(signed=False))
    _settle(table.page)
    assert table.sent == [], "not before the server has signed all seals"
    assert table._to_page is not None
    missed = {"t": "links", "first": len(table.links), "links": [], "sig": table.sig()}
    table._to_page.send(json.dumps(missed))
    table.waits_for("reveal")
    expect(table.page.get_by_role("alert")).to_have_count(0)


def test_another_key_stops_play_until_the_player_accepts_it(comes: Comes, tmp_path: Path) -> None:
    table = PageOperator(comes(), ordinary(), key="ab" * 32)
    table.begins()
    assert table.is_caught("another key", tmp_path) is None
    table.page.unroute("**/.well-known/facedown.json")
    keys = {"origin": "", "key": KEY, "changes": []}
    table.page.route("**/.well-known/facedown.json", lambda route: route.fulfill(json=keys))
    table.page.get_by_role("button", name="Accept the new key").click()
    places_first(table.page)
    table.waits_for("pick")
    expect(table.page.get_by_role("alert")).to_have_count(0)


def _settle(page: Page) -> None:
    """Let the page take in what was sent, and check signatures."""
    page.evaluate("() => new Promise((done) => setTimeout(done, 50))")
