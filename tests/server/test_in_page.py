"""A server inside a page: the same application, asked by function calls, which keeps a copy, then answers."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

import facedown.server
from facedown.core.chance import entropy_commitment, pick_commitment
from facedown.server.in_page import PageServer
from facedown.web.offline.run_files import _LEFT_OUT
from tests.patience import PATIENCE

pytestmark = pytest.mark.anyio
ENTROPY = bytes(range(32))
NONCE = bytes(32)


class Page:
    """What the worker of a page does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.copies = 0
        self.server: PageServer

    async def __aenter__(self) -> Page:
        self.server = await PageServer.open(str(self.folder), self.keep, machine_pause=0)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.server.close()

    async def keep(self) -> None:
        await asyncio.sleep(0)
        self.copies += 1

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = {} if body is None else {"Content-Type": "application/json", "Accept-Language": "en"}
        text = "" if body is None else json.dumps(body)
        asked = {"method": method, "path": f"/api/v1{path}", "headers": headers, "body": text}
        answer = json.loads(await self.server.request(json.dumps(asked)))
        return answer["status"], json.loads(answer["body"]) if answer["body"] else None

    async def ok(self, method: str, path: str, body: Any = None) -> Any:
        status, answer = await self.ask(method, path, body)
        assert status in (200, 201), answer
        return answer

    async def sit(self) -> tuple[str, str]:
        """A table against a machine, and the token of the first seat."""
        seats = [{"kind": "person"}, {"kind": "machine", "machine": "uniform"}]
        table = (await self.ok("POST", "/tables", {"game": "ecard", "seats": seats}))["table"]
        commit = entropy_commitment(table, 1, ENTROPY).hex()
        sat = await self.ok("POST", f"/tables/{table}/join", {"seat": 1, "commit": commit})
        return table, sat["token"]


class Socket:
    """The page's end of a connection, which plays the first legal pick until the game is over."""

    def __init__(self, page: Page, table: str, token: str) -> None:
        self.page, self.table = page, table
        self.frames: list[Any] = []
        self.copies_at_ack: list[int] = []
        self.ended = asyncio.Event()
        self.legal: list[str] = []
        self.picked = 0
        self.connection = page.server.connect(self.receive, lambda: None)
        self.connection.receive(json.dumps({"t": "hello", "table": table, "token": token, "play": True}))

    def receive(self, text: str) -> None:
        frame = json.loads(text)
        self.frames.append(frame)
        if frame["t"] == "ack":
            self.copies_at_ack.append(self.page.copies)
        elif frame["t"] == "snap":
            self.command("open", entropy=ENTROPY.hex())
        elif frame["t"] == "nak" or frame["t"] == "bye" or frame.get("k") == "over":
            self.ended.set()
        self.legal = frame.get("legal", self.legal)
        turn = frame.get("turn")
        if turn and self.legal and 1 in turn["may_seal"] and turn["decision"] != self.picked:
            self.picked = turn["decision"]
            self.pick(turn["decision"], bytes.fromhex(turn["head"]), self.legal[0])

    def pick(self, decision: int, head: bytes, pick: str) -> None:
        commit = pick_commitment(self.table, decision, 1, head, pick, NONCE).hex()
        self.command("pick", decision=decision, pick=pick, commit=commit, nonce=NONCE.hex())

    def command(self, do: str, **more: object) -> None:
        given = {"t": "cmd", "id": f"{do}-{len(self.frames):022}", "do": do, **more}
        asyncio.get_running_loop().call_soon(self.connection.receive, json.dumps(given))


async def test_a_whole_game_then_its_review_and_all_of_it_again_after_a_restart(tmp_path: Path) -> None:
    async with Page(tmp_path / "data") as page:
        assert (await page.ask("GET", "/session"))[0] == 401
        person = (await page.ok("POST", "/session", {"kind": "browser", "name": "Ann"}))["person"]
        table, token = await page.sit()
        socket = Socket(page, table, token)
        await asyncio.wait_for(socket.ended.wait(), PATIENCE)
        assert socket.frames[-1].get("k") == "over", socket.frames[-1]
        assert [each["t"] for each in socket.frames[:3]] == ["welcome", "links", "snap"]
        review = await page.ok("GET", f"/tables/{table}/review?seat=1")
        assert review["checked"]
        assert all(each["holds"] is not False for each in review["checked"])
        assert (await page.ok("GET", "/tables?mine=true"))["tables"][0]["table"] == table
        assert [game["table"] for game in (await page.ok("GET", "/people/me"))["games"]] == [table]
        assert (await page.ok("GET", "/people/me/readable?game=ecard"))["games"] == 1

    async with Page(tmp_path / "data") as page:
        assert (await page.ok("GET", "/session"))["person"] == person
        assert (await page.ok("GET", f"/tables/{table}/record"))["seed"]


async def test_a_command_is_answered_only_after_a_copy_was_kept(tmp_path: Path) -> None:
    async with Page(tmp_path / "data") as page:
        await page.ok("POST", "/session", {"kind": "browser"})
        table, token = await page.sit()
        before = page.copies
        socket = Socket(page, table, token)
        await asyncio.wait_for(socket.ended.wait(), PATIENCE)
        assert len(socket.copies_at_ack) > 3
        assert all(b > a for a, b in zip([before, *socket.copies_at_ack], socket.copies_at_ack, strict=False))


async def test_what_is_not_there_is_a_problem_document_like_everywhere(tmp_path: Path) -> None:
    async with Page(tmp_path / "data") as page:
        assert [
            (status, problem["code"])
            for status, problem in (
                await page.ask("GET", "/nothing"),
                await page.ask("GET", "/tables/LOCALNOTHING"),
                await page.ask("GET", "/games/chess/rules"),
                await page.ask("POST", "/tables", {"game": "ecard", "seats": []}),
            )
        ] == [(404, "not_there"), (404, "unknown_table"), (404, "unknown_game"), (401, "needs_session")]


def test_a_page_needs_no_module_that_it_does_not_have() -> None:
    """What is left out of the files of a page is imported only when it is needed."""
    left_out = re.compile(rf"^from facedown\.({'|'.join(_LEFT_OUT)})\b", re.M)
    folder = Path(facedown.server.__file__).parent
    assert [path.name for path in sorted(folder.rglob("*.py")) if left_out.search(path.read_text())] == []


async def test_the_mind_of_the_day_meets_the_house_at_once(tmp_path: Path) -> None:
    async with Page(tmp_path) as page:
        await page.ok("POST", "/session", {"kind": "browser"})
        position = await page.ok("GET", "/mind/today")
        assert (position["state"]["alone"], position["chips"]) == (True, None)
        day = position["state"]["day"]
        assert (await page.ask("GET", f"/mind/{day}"))[0] == 409, "nothing is sealed"
        await page.ok("PUT", f"/mind/{day}", {"chips": [10, 0]})
        result = await page.ok("GET", f"/mind/{day}")
        assert (result["own"]["chips"], len(result["house"]), result["alone"]) == (10, 8, True)
        assert (await page.ask("PUT", f"/mind/{day}", {"chips": [0, 10]}))[0] == 409, "the result was seen"
