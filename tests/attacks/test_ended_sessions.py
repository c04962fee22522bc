"""Attacks with credentials that have ended: the last byte of a request is held back until its session is
gone, or its first write is. Every endpoint that changes something is tried; none may have an effect.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from facedown.server.app import ENDPOINTS
from facedown.server.http.endpoint import SEAT, Endpoint, routes_of
from facedown.server.http.services import RestServices
from facedown.server.services import open_services
from facedown.server.settings import Settings
from facedown.server.store.sqlite.data_dir import DATABASE
from tests.patience import PATIENCE
from tests.server.http.keeping import asked, new_handle

pytestmark = pytest.mark.anyio

OPERATOR: Final = "the operator's token"
UNSAFE: Final = [
    each for each in ENDPOINTS if each.method != "GET" and each.needs not in ("anyone", "operator")
]
"""Those that act for a person; the others act by what their bodies hold, or for the operator."""
COMMIT: Final = "00" * 32
_LIMITS: Final = "requests tables people accounts joins guesses chat commands"
WIDE: Final = dict.fromkeys(_LIMITS.split(), 100_000)

LIVE: Final = {"kind": "decision", "seconds": 30}
NO_EFFECT: Final = {
    "options_of_new_passkey": "a page of the server asks for them",
    "add_passkey": "a device has to sign it",
    "remove_passkey": "there is none",
    "answer_handover": "no device asks",
    "note_house": "nothing is known of the house",
    "continue_game": "the game is not over",
    "end_challenge": "it was answered",
    "answer_case": "there is none about the caller",
    "drop_relation": "there is none",
    "unfollow": "no one is followed",
    "unsubscribe": "there is no subscription",
    "set_reach": "the caller is not on this computer's own page",
}
"""Calls that need more than this test has, and why: they are tried all the same."""
OWN: Final = ("nodes", "outages", "log_entries", "log_nodes", "notices", "sqlite_sequence")
"""The tables in which a server writes on its own."""


class Person:
    """A client of the API in this process, with a session of its own."""

    def __init__(self, app: ASGIApp) -> None:
        transport = httpx2.ASGITransport(app)
        self.http = httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1/api/v1", timeout=None)
        self.person = ""

    def follow(self, session: Any) -> None:
        self.person = session["person"]
        self.http.headers["Authorization"] = f"Bearer {session['token']}"

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> httpx2.Response:
        return await self.http.request(method, path, json=body, headers=headers)

    async def ok(self, method: str, path: str, body: object = None) -> Any:
        answer = await self.ask(method, path, body)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    async def begin(self, name: str) -> Person:
        self.follow(await self.ok("POST", "/session", {"name": name, "kind": "program"}))
        return self

    async def keep(self, handle: str) -> str:
        new = await self.ok("POST", "/account/code", {"handle": handle})
        self.follow(await self.ok("POST", "/account/code/confirm", {"groups": asked(new)}))
        return str(new["code"])


class World:
    """A server in this process, two people at a table, and everything that the calls are about."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self.app = app
        self.folder = folder
        self.names: dict[str, str] = {}
        """The parts of paths."""

    async def person(self, name: str = "") -> Person:
        found = Person(self.app)
        return await found.begin(name) if name else found

    async def by_handover(self, first: Person) -> Person:
        """Another device of a person."""
        device = await self.person()
        code = (await first.ok("POST", "/session/handover"))["code"]
        claimed = await device.ok("POST", "/handovers", {"code": code})
        await first.ok("POST", "/session/handover/answer", {"digits": claimed["digits"], "allow": True})
        taken = await device.ok("POST", "/handovers/session", {"claim": claimed["claim"], "kind": "program"})
        device.follow(taken["session"])
        return device

    async def by_code(self, handle: str, code: str) -> Person:
        device = await self.person()
        body = {"handle": handle, "code": code, "kind": "program"}
        device.follow(await device.ok("POST", "/account/sign-in", body))
        return device

    async def set_up(self, ann: Person, *, kept: bool) -> None:
        """What Ann's calls are about: tables, a tournament, a case, a token and a bot of hers."""
        ben = await self.person("Ben")
        self.names["handle_of_ben"] = new_handle()
        await ben.keep(self.names["handle_of_ben"])
        order = {"game": "ecard", "seats": [{"kind": "person"}] * 2, "public": True}
        hers = await ann.ok("POST", "/tables", order)
        for seat, each in ((1, ann), (2, ben)):
            body = {"seat": seat, "commit": COMMIT}
            joined = await each.ok("POST", f"/tables/{hers['table']}/join", body)
            self.names["seat_token"] = self.names.get("seat_token") or joined["token"]
        theirs, other = [await ben.ok("POST", "/tables", order) for _ in range(2)]
        free = await ann.ok("POST", "/tables", order)
        setup = {"kind": "arena", "title": "Arena", "game": "ecard", "clock": LIVE, "starts_in": 60}
        arena = await ben.ok("POST", "/tournaments", setup)
        self.names |= {
            "table": hers["table"],
            "code": theirs["invite"],
            "open_table": other["table"],
            "free_table": free["table"],
            "tournament": arena["head"]["tournament"],
            "own_tournament": arena["head"]["tournament"],
            "number": "1",
            "person": ben.person,
            "passkey": "none",
            "handle": "none",
            "key": "none",
            "day": datetime.now(UTC).date().isoformat(),
        }
        await ben.ok("POST", "/reports", {"about": "name", "table": hers["table"], "seat": 1, "why": "rude"})
        if kept:
            bot = await ann.ok("POST", "/account/bots", {"handle": new_handle()[:12]})
            devices = (await (await self.by_handover(ann)).ok("GET", "/account"))["devices"]
            own = await ann.ok("POST", "/tournaments", {**setup, "title": "Own"})
            self.names |= {
                "handle": bot["bot"]["handle"],
                "own_tournament": own["head"]["tournament"],
                "key": next(each["id"] for each in devices if each["current"]),
            }

    def path(self, endpoint: Endpoint) -> str:
        instead = {
            "join": "open_table",
            "close_table": "free_table",
            "order_tournament": "own_tournament",
        }.get(endpoint.handle.__name__)
        path = endpoint.path.removeprefix("/api/v1")
        if instead:
            path = path.replace("{" + instead.rpartition("_")[2] + "}", self.names[instead])
        return path.format(**self.names)

    def body(self, endpoint: Endpoint) -> Any:
        """A body that this call takes; a new endpoint needs one here."""
        if endpoint.body is None:
            return {}
        table, handle = self.names["table"], self.names["handle_of_ben"]
        bodies: dict[str, Any] = {
            "NewName": {"name": "Mallory"},
            "KeepAccount": {"handle": "mallory"},
            "ConfirmCode": {"groups": self.names.get("groups", "2222 2222").split()},
            "MadePasskey": {
                "id": "x",
                "raw_id": "x",
                "response": {"client_data_json": "", "attestation": ""},
            },
            "NewToken": {"name": "planted", "scopes": ["tables:write"]},
            "NewBot": {"handle": new_handle()[:12]},
            "NewHandover": {},
            "AnswerHandover": {"digits": "00", "allow": True},
            "TableOrder": {"game": "ecard", "seats": [{"kind": "person"}] * 2},
            "NewContinuation": {"keep": 1},
            "Command": {"id": new_handle(), "do": "say", "text": "words of the gone"},
            "Resume": {},
            "Join": {"seat": 2, "commit": COMMIT},
            "NewTicket": {"game": "ecard", "clock": LIVE},
            "NewTournament": {
                "kind": "arena",
                "title": "Planted",
                "game": "ecard",
                "clock": LIVE,
                "starts_in": 60,
            },
            "TournamentEntry": {},
            "TournamentOrder": {"do": "cancel"},
            "KnownHouse": {"known": []},
            "NewMind": {"chips": [4, 6]},
            "NewRelation": {"kind": "block", "table": table, "seat": 2},
            "PushSubscription": {
                "endpoint": "https://fcm.googleapis.com/x",
                "keys": {"p256dh": "x" * 20, "auth": "x" * 10},
            },
            "ShownParts": {"shows": ["page"]},
            "NewFollow": {"handle": handle},
            "NewContactSettings": {"here": True, "challenges": "nobody"},
            "NewChallenge": {"game": "ecard", "handle": handle},
            "ReadNotices": {"at": 1},
            "NewReport": {"about": "name", "table": table, "seat": 2, "why": "planted"},
            "CaseAnswer": {"text": "planted"},
            "CaseDecision": {},
            "CloseTable": {"say": "planted"},
            "SetDoor": {"door": "closed"},
        }
        return bodies[endpoint.body.__name__]

    async def call(self, who: Person, endpoint: Endpoint, body: object = None, **headers: str) -> int:
        """The status of a call, with this body or one that fits."""
        content = body if body is not None else json.dumps(self.body(endpoint)).encode()
        sent = {"Content-Type": "application/json", **headers}
        answer = await who.http.request(endpoint.method, self.path(endpoint), content=content, headers=sent)  # type: ignore[arg-type]  # bytes, or parts of them
        return int(answer.status_code)

    def rows(self) -> dict[str, list[Any]]:
        """Every row that is kept, but for what a server does on its own."""
        with contextlib.closing(sqlite3.connect(self.folder / DATABASE)) as store:
            listed = store.execute(
                "select name from sqlite_master where type = 'table' order by name"
            ).fetchall()
            names = [name for (name,) in listed if name not in OWN]
            # When people on a seat were there last is written on the server's own account.
            shown = {"seats": "table_id, seat, person, token, previous, session"}
            queries = {name: f"select {shown.get(name, '*')} from {name}" for name in names}
            return {name: sorted(map(repr, store.execute(query))) for name, query in queries.items()}

    def change(self, statement: str, *values: object) -> list[Any]:
        """Change the store behind the server's back, as another server does."""
        with contextlib.closing(sqlite3.connect(self.folder / DATABASE)) as store, store:
            return store.execute(statement, values).fetchall()


@contextlib.asynccontextmanager
async def world_in(folder: Path) -> AsyncIterator[tuple[World, RestServices]]:
    settings = Settings(data=folder / "data", machine_pause=0, body_seconds=3600, **WIDE)  # type: ignore[arg-type]
    services = open_services(settings)
    await services.start()
    rest = RestServices(services, operator=OPERATOR)
    routes = Starlette(routes=routes_of(rest, ENDPOINTS))

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})
        await routes(scope, receive, send)

    try:
        yield World(app, folder / "data"), rest
    finally:
        await rest.push.close()
        await services.close()


# --- the last byte ---------------------------------------------------------------------------------------

End = Callable[[], Awaitable[object]]


async def signed_out(world: World, ann: Person) -> tuple[Person, End]:
    return ann, lambda: ann.ok("DELETE", "/session")


async def signed_out_everywhere(world: World, ann: Person) -> tuple[Person, End]:
    planted = await world.by_handover(ann)
    return planted, lambda: ann.ok("DELETE", "/people/me/sessions")


async def kept(world: World, ann: Person) -> tuple[Person, End]:
    planted = await world.by_handover(ann)
    return planted, lambda: ann.keep(new_handle())


async def device_signed_out(world: World, ann: Person) -> tuple[Person, End]:
    planted = await world.by_handover(ann)
    devices = (await planted.ok("GET", "/account"))["devices"]
    device = next(each["id"] for each in devices if each["current"])
    return planted, lambda: ann.ok("DELETE", f"/account/keys/{device}")


async def token_revoked(world: World, ann: Person) -> tuple[Person, End]:
    scopes = ["tables:read", "tables:write", "people:read", "contacts:read", "contacts:write"]
    made = await ann.ok("POST", "/account/tokens", {"name": "stolen", "scopes": scopes})
    program = await world.person()
    program.http.headers["Authorization"] = f"Bearer {made['token']}"
    return program, lambda: ann.ok("DELETE", f"/account/keys/{made['info']['id']}")


async def bot_renewed(world: World, ann: Person) -> tuple[Person, End]:
    made = await ann.ok("POST", "/account/bots", {"handle": new_handle()[:12]})
    bot = await world.person()
    bot.http.headers["Authorization"] = f"Bearer {made['token']}"
    return bot, lambda: ann.ok("POST", f"/account/bots/{made['bot']['handle']}/token")


async def erased(world: World, ann: Person) -> tuple[Person, End]:
    planted = await world.by_handover(ann)
    return planted, lambda: ann.ok("DELETE", "/people/me")


async def dismissed(world: World, ann: Person) -> tuple[Person, End]:
    """A moderator acts in a browser's session only."""
    token = ann.http.headers.pop("Authorization").partition(" ")[2]
    world.change("update keys set kind = 'browser' where person = ?", ann.person)
    ann.http.headers |= {"Cookie": f"facedown_session={token}", "Origin": "http://127.0.0.1"}
    operator = await world.person()
    operator.http.headers["Authorization"] = f"Bearer {OPERATOR}"
    path = f"/admin/moderators/{ann.person}"
    await operator.ok("PUT", path)
    return ann, lambda: operator.ok("DELETE", path)


WAYS: Final = (
    *(signed_out, signed_out_everywhere, kept, device_signed_out),
    *(token_revoked, bot_renewed, erased, dismissed),
)


async def held_back(body: bytes, asks: asyncio.Event, free: asyncio.Event) -> AsyncIterator[bytes]:
    """A body whose last byte waits."""
    yield body[:-1]
    asks.set()
    await free.wait()
    yield body[-1:]


@pytest.mark.parametrize("way", WAYS)
async def test_no_call_that_ends_after_its_session_has_an_effect(
    tmp_path: Path, way: Callable[[World, Person], Awaitable[tuple[Person, End]]]
) -> None:
    async with world_in(tmp_path) as (world, _), asyncio.timeout(PATIENCE):
        ann = await world.person("Ann")
        if way is not kept:
            world.names["own_handle"] = new_handle()
            world.names["own_code"] = await ann.keep(world.names["own_handle"])
        await world.set_up(ann, kept=way is not kept)
        caller, end = await way(world, ann)
        free, calls = asyncio.Event(), dict[str, asyncio.Task[int]]()
        for each in UNSAFE:
            if way is dismissed and each.needs != "moderator":
                continue  # the session goes on
            asks = asyncio.Event()
            body = held_back(json.dumps(world.body(each)).encode(), asks, free)
            call = calls[each.handle.__name__] = asyncio.create_task(world.call(caller, each, body))
            waiting = asyncio.create_task(asks.wait())
            await asyncio.wait((call, waiting), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()

        await end()
        before = world.rows()
        free.set()
        answers = {name: await call for name, call in calls.items()}

        assert {name: status for name, status in answers.items() if status not in (401, 403)} == {}
        after = world.rows()
        assert {name: after[name] for name in after if after[name] != before[name]} == {}


# --- the first write -------------------------------------------------------------------------------------


class Gate:
    """Holds what is given to the writer of a store, until it is let through."""

    def __init__(self, writes: Any) -> None:
        self._writes, self._held = writes, list[Any]()
        self.is_shut = False
        self.held = asyncio.Event()

    @property
    def waiting(self) -> int:
        return int(self._writes.waiting)

    def put(self, work: Any, done: Any) -> None:
        if not self.is_shut:
            self._writes.put(work, done)
            return
        self._held.append((work, done))
        self.held.set()

    def open(self) -> None:
        self.is_shut = False
        held, self._held = self._held, []
        for each in held:
            self._writes.put(*each)
        self.held.clear()

    def close(self) -> None:
        self._writes.close()


@pytest.mark.parametrize("ended", [True, False], ids=["ended", "control"])
async def test_no_write_of_a_session_that_has_just_ended_has_an_effect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: bool
) -> None:
    """The session is there when it is looked at, and gone in the transaction that writes. The control shows
    that the same calls do have an effect while it is there."""
    async with world_in(tmp_path) as (world, rest), asyncio.timeout(PATIENCE):
        gate = Gate(rest.store._writes)  # type: ignore[attr-defined]  # SQLite's
        monkeypatch.setattr(rest.store, "_writes", gate)
        found: dict[str, Any] = {}
        for endpoint in UNSAFE:
            name = endpoint.handle.__name__
            ann = await world.person("Ann")
            kept = name not in ("ask_for_code", "rename")
            if kept:
                await ann.keep(new_handle())
            await world.set_up(ann, kept=kept)
            if name == "withdraw_ticket":
                await ann.ok("PUT", "/pairing/ticket", {"game": "ecard", "clock": LIVE})
            if name == "confirm_code":
                world.names["groups"] = " ".join(asked(await ann.ok("POST", "/account/code")))
            headers = {SEAT: world.names["seat_token"]} if endpoint.needs == "seat" else {}
            world.names.pop("seat_token")
            if endpoint.needs == "moderator":
                await dismissed(world, ann)
            before = world.rows()
            gate.is_shut = ended
            call = asyncio.create_task(world.call(ann, endpoint, **headers))
            if ended:
                waiting = asyncio.create_task(gate.held.wait())
                await asyncio.wait((call, waiting), return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                world.change("update seats set token = randomblob(32) where person = ?", ann.person)
                gone = "moderators" if endpoint.needs == "moderator" else "keys"
                world.change(f"delete from {gone} where person = ?", ann.person)
                before = world.rows()
                gate.open()
            status = await call
            after = world.rows()
            found[name] = status, [each for each in after if after[each] != before[each]]

    if ended:
        effects = {name: rows for name, (_, rows) in found.items() if rows}
        assert effects == {}
        done = {name for name, (status, _) in found.items() if status < 300}
        assert done - NO_EFFECT.keys() == set()
    else:
        without = {name: status for name, (status, rows) in found.items() if status >= 300 or not rows}
        assert set(without) == set(NO_EFFECT), without
