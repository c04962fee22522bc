"""What happens in the conversations: whole games of E-Card and Davenport, and calls beside any table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tests.server.conversation.playing import API, Person, play, program
from tests.server.conversation.shown import shown
from tests.server.conversation.talking import PUBLIC, Conversation

JAPANESE = {"Accept_Language": "ja"}


async def ecard(talk: Conversation) -> None:
    """Two people and a spectator, with every refusal a table knows, and one pick that the clock placed."""
    ann, bo = await program(talk, "Ann"), await program(talk, "Bo")
    await ann.call("PATCH", "/session", {"name": "  Ann\u202e  "})
    await ann.call("GET", "/session")
    made = await _set_ecard_table(ann)
    table, at = made["table"], f"/tables/{made['table']}"
    await _invitations(ann, bo, table, made["invite"])
    dee = await _spectator(talk)
    watching = await talk.connect("Dee watches", {"table": table}, **dee.session)
    await ann.connect()
    await talk.follow("Ann's stream", 1, **ann.session)
    await bo.connect()
    await ann.do("wrong", "open", entropy="00" * 32)
    await ann.open()
    await ann.open()
    await bo.open()
    await _refusals(ann, bo)
    await talk.send(watching, {"id": "not-mine", "do": "pick", **ann.sealed(1, "C")})
    await talk.send(watching, {"id": "hello", "do": "say", "text": "Good evening"})
    await ann.pick("C", "once")
    await ann.pick("C", "once")  # the same answer, no second seal
    await ann.do("late", "pick", **ann.sealed(1, "C"))
    await bo.pick_any()
    await _looks(ann, bo, dee, table)
    await _late(ann, bo)
    await _two_connections(ann)
    await _long_poll(bo, lambda: ann.do("thanks", "say", preset="thanks"))
    await play([ann, bo])
    await ann.do("again", "rematch")
    await ann.do("again", "rematch")
    await bo.do("agreed", "rematch")
    await _after(ann, bo, dee, at)


async def _set_ecard_table(ann: Person) -> dict[str, str]:
    order = {
        "game": "ecard",
        "rules": "decisive(rounds=4,group=1)",
        "seats": [{"kind": "person"}, {"kind": "person"}],
        "clock": {"kind": "decision", "seconds": 1},
        "public": True,
    }
    made: dict[str, str] = await ann.call("POST", "/tables", order, Idempotency_Key="first")
    await ann.call("POST", "/tables", order, Idempotency_Key="first")
    await ann.call("POST", "/tables", {**order, "public": False}, Idempotency_Key="first")
    return made


async def _invitations(ann: Person, bo: Person, table: str, invite: str) -> None:
    await bo.call("GET", "/tables?game=ecard")
    await bo.call("GET", f"/invites/{invite}")
    await bo.call("GET", f"/invites/{invite}/qr.svg")
    await ann.join(table, 1)
    await bo.join(table, 1, invite)
    await bo.join(table, 3, invite)
    await bo.join(table, 2, invite)
    await bo.call("GET", "/tables?mine=true")


async def _spectator(talk: Conversation) -> Person:
    """A person in a browser."""
    await talk.call("Dee", "POST", f"{API}/session", {"name": "Dee"}, Origin="https://elsewhere.example")
    await talk.call("Dee", "POST", f"{API}/session", {"name": "Dee"}, Origin=PUBLIC)
    cookie = next(line for line in reversed(talk.said["Dee"]) if "facedown_session=" in line)
    token = cookie.partition("facedown_session=")[2].partition(";")[0]
    return Person(talk, "Dee", {"Cookie": f"__Host-facedown_session={token}"})


async def _refusals(ann: Person, bo: Person) -> None:
    """Nothing of this changes anything."""
    await ann.do("unreadable", "pick", **ann.sealed(1, "?"))
    await ann.do("illegal", "pick", **ann.sealed(1, "7"))
    await ann.do("far", "pick", **ann.sealed(99, "C"))
    await ann.do("unsealed", "pick", decision=1, pick="C")
    await ann.do("bad-seal", "pick", **{**ann.sealed(1, "C"), "nonce": "00" * 32})
    await ann.do("nonsense", "dance")
    await ann.do("early", "rematch")
    await ann.do("silent", "say")
    await bo.do("offer", "replace", seat=1, machine="random")
    await bo.do("agree", "agree", seat=1)


async def _looks(ann: Person, bo: Person, dee: Person, table: str) -> None:
    """A running game over REST, as each may see it."""
    at = f"/tables/{table}"
    for person in (ann, bo, dee):
        await person.call("GET", at)
        await person.call("GET", f"{at}/record")
        await person.call("GET", f"{at}/events?after=3")
    await ann.call("GET", at, Facedown_Seat=bo.token)
    await ann.call("GET", at, Facedown_Seat="nonsense")
    head = f'"{ann.here.v}"'
    await ann.call("GET", at, If_None_Match=f'"1", {head}')
    await ann.call("GET", at, If_None_Match='"1"')
    await ann.call("GET", f"{at}/review")
    await ann.call("POST", f"{at}/continue", {"keep": 1})
    await ann.call("GET", "/tables?mine=true&state=playing")
    await ann.call("POST", f"{at}/resume", {"seat": 2})
    command = {"id": "by-rest", "do": "say", "preset": "hello"}
    await bo.call("POST", f"{at}/commands", command)
    await bo.call("POST", f"{at}/commands", {**command, "id": "bad", "do": "pick"})
    await dee.call("POST", f"{at}/commands", command, Origin="https://elsewhere.example")
    await dee.call("POST", f"{at}/commands", {**command, "id": "from-dee"}, Origin=PUBLIC)


async def _late(ann: Person, bo: Person) -> None:
    """Ann seals, Bo's time runs out."""
    await ann.pick_any()
    decision = (ann.here.turn or {})["decision"]
    bo.talk.pass_time(1100)
    await bo.here.until(lambda: (bo.here.turn or {}).get("decision") != decision)
    await bo.talk.settle()


async def _two_connections(ann: Person) -> None:
    """The newer one plays until the older one takes the seat back."""
    older = ann.here
    newer = await ann.connect(as_who="Ann at the table, again")
    ann.socket = older
    await ann.pick("C", "reader")
    received = newer.will_receive(t="role")
    await older.send('{"t":"take"}')
    await newer.until(received)
    await ann.talk.settle()
    await ann.talk.hang_up(newer, alone=True)


async def _long_poll(bo: Person, act: Callable[[], Awaitable[None]]) -> None:
    """Bo waits for the next event."""
    talk, path = bo.talk, f"{API}/tables/{bo.table}/events?after={bo.here.v}&wait=30"
    waiting = asyncio.create_task(talk.ask("Bo waits", "GET", path, **bo.session))
    await asyncio.sleep(0.2)
    await act()
    await waiting


async def _after(ann: Person, bo: Person, dee: Person, at: str) -> None:
    """A game that is over."""
    for person in (ann, bo, dee):
        await person.call("GET", at)
    await dee.call("GET", f"{at}/record")
    for seat in (1, 2):
        await ann.call("GET", f"{at}/review?seat={seat}")
        await ann.call("GET", f"{at}/review?seat={seat}", **JAPANESE)
    await ann.call("GET", f"{at}/review?seat=3")
    await ann.call("POST", f"{at}/continue", {"keep": 1, "machine": "equilibrium"})
    await ann.call("POST", f"{at}/continue", {"keep": 1, "machine": "nobody"})
    await ann.call("GET", "/people/me")
    await bo.call("GET", "/people/me")
    await ann.call("GET", "/tables?mine=true")
    await ann.do("dead", "pick", **ann.sealed(1, "C"))


async def davenport(talk: Conversation) -> None:
    """Three people, a machine and a spectator; one stands up, one comes back, all resign in turn."""
    people = ann, bo, cy = [await program(talk, name) for name in ("Ann", "Bo", "Cy")]
    order = {
        "game": "davenport",
        "seats": [{"kind": "person"}] * 3 + [{"kind": "machine", "machine": "careful"}],
        "clock": {"kind": "decision", "seconds": 600, "bank": 60},
        "flag": "lowest",
    }
    made = await ann.call("POST", "/tables", order)
    table, invite = made["table"], made["invite"]
    talk.machines = frozenset({4})
    watching = await talk.connect("a stranger watches", {"table": table})
    await cy.join(table, 3, invite)
    await cy.connect(as_who="Cy, at first")
    await cy.do("away", "leave")
    await talk.hang_up(cy.here)
    for seat, person in enumerate(people, 1):
        await person.join(table, seat, invite)
        await person.connect()
    for person in people:
        await person.open()
    await ann.do("say", "say", text="Viel Glück! 頑張って")
    await watching.send('{"t":"take"}')
    await talk.settle()
    await _exchanges(ann, bo)
    await play([ann, bo, cy], 2)
    before = bo.here
    await talk.hang_up(before)
    await ann.do("waiting", "say", preset="one_moment")
    await ann.pick_any()
    await bo.connect(v=before.v, as_who="Bo, back at the table")
    await play([bo, cy, ann], 2)
    await cy.do("when", "resign")
    await cy.resign()
    await play([ann, bo], 1)
    for person in people:
        await person.call("GET", f"/tables/{table}")
    await talk.call("a stranger", "GET", f"{API}/tables/{table}/record")
    await bo.resign()
    await ann.resign()
    await talk.call("a stranger", "GET", f"{API}/tables/{table}/record")
    await talk.call("a stranger", "GET", f"{API}/tables/{table}/events?after=0")
    await ann.call("GET", "/people/me")
    for socket in tuple(talk.sockets):
        await talk.hang_up(socket, alone=True)
    await _short_game(ann)


async def _short_game(ann: Person) -> None:
    """Against a machine, and given up after one round: little is to be judged."""
    seats = [{"kind": "person"}, {"kind": "machine", "machine": "careful"}]
    made = await ann.call("POST", "/tables", {"game": "davenport", "seats": seats, "watch": "nobody"})
    ann.talk.machines = frozenset({2})
    await ann.join(made["table"], 1)
    await ann.connect(as_who="Ann against a machine")
    await ann.open()
    await ann.talk.call("a stranger", "GET", f"{API}/tables/{ann.table}")
    await ann.resign()
    await ann.call("GET", f"/tables/{ann.table}/review")
    await ann.call("GET", f"/tables/{ann.table}/review", **JAPANESE)
    await ann.call("GET", f"/tables/{ann.table}/record")


async def _exchanges(ann: Person, bo: Person) -> None:
    """Two cards are exchanged in the first round."""
    for person in (ann, bo):
        await person.pick(next(pick for pick in person.here.legal if pick.startswith("x")))


async def calls(talk: Conversation) -> None:
    """What is asked and refused beside any table."""
    games = await talk.call("games", "GET", f"{API}/games")
    await talk.call("games", "GET", f"{API}/games", **JAPANESE)
    for game in games:
        path = f"{API}/games/{game['name']}"
        await talk.call("rules", "GET", f"{path}/rules")
        await talk.call("rules", "GET", f"{path}/rules", **JAPANESE)
        await talk.call("rules", "GET", f"{path}/rules?rules=nonsense(more=1,less)", **JAPANESE)
        await talk.call("verdicts", "GET", f"{path}/verdict")
    for rules in ("decisive", "classic(rounds=1,group=1)", "purse(purse=5)", "nonsense"):
        await talk.call("verdicts", "GET", f"{API}/games/ecard/verdict?rules={rules}")
    await talk.call("verdicts", "GET", f"{API}/games/nonsense/verdict")
    await _nonsense(talk)
    ann = await program(talk, "Ann")
    handover = await ann.call("POST", "/session/handover")
    claimed = await talk.call("Ann elsewhere", "POST", f"{API}/handovers", {"code": handover["code"]})
    await talk.call("Ann elsewhere", "POST", f"{API}/handovers", {"code": handover["code"]})
    take = {"claim": claimed["claim"], "kind": "program"}
    await talk.call("Ann elsewhere", "POST", f"{API}/handovers/session", take)
    await ann.call("GET", "/session/handover")
    await ann.call("POST", "/session/handover/answer", {"digits": claimed["digits"], "allow": True})
    for _ in range(2):
        await talk.call("Ann elsewhere", "POST", f"{API}/handovers/session", take)
    await talk.call("guests", "POST", f"{API}/session", {"kind": "program"})
    await talk.call("guests", "POST", f"{API}/session", {"kind": "program"}, **JAPANESE)
    await _bad_orders(ann)
    await ann.call("DELETE", "/session")
    await ann.call("GET", "/session")


async def _nonsense(talk: Conversation) -> None:
    """Requests and first frames that are invalid."""
    nowhere = "0" * 26
    who = "nonsense"
    await talk.call(who, "GET", "/healthz")
    await talk.call(who, "GET", "/readyz")
    await talk.call(who, "GET", f"{API}/nothing")
    await talk.call(who, "DELETE", f"{API}/games")
    await talk.call(who, "POST", f"{API}/tables", {"game": "ecard", "seats": []})
    await talk.call(who, "POST", f"{API}/session", b"{")
    await talk.call(who, "POST", f"{API}/session", b"kind=program", Content_Type="text/plain")
    await talk.call(who, "POST", f"{API}/session", {"kind": "king"})
    await talk.call(who, "POST", f"{API}/session", {"name": "x" * 20_000})
    await talk.call(who, "GET", f"{API}/session", Authorization="Bearer nonsense")
    await talk.call(who, "GET", f"{API}/people/me")
    await talk.call(who, "GET", f"{API}/tables/{nowhere}")
    await talk.call(who, "GET", f"{API}/tables?state=lost")
    await talk.call(who, "GET", f"{API}/invites/nonsense")
    await talk.call(who, "GET", f"{API}/admin/tables")
    await talk.connect("no table", {"table": nowhere})
    await talk.connect("no table id", {"table": "x"})
    await talk.connect("no seat", {"table": nowhere, "token": "nonsense"})


async def _bad_orders(ann: Person) -> None:
    """Tables that cannot be set up."""
    person = {"kind": "person"}
    await ann.call("POST", "/tables", {"game": "chess", "seats": [person]})
    await ann.call("POST", "/tables", {"game": "ecard", "seats": [person] * 3})
    await ann.call("POST", "/tables", {"game": "ecard", "seats": [person] * 2, "rules": "x(y=1,z)"})
    machine = {"kind": "machine", "machine": "nobody"}
    await ann.call("POST", "/tables", {"game": "ecard", "seats": [person, machine]})
    await ann.call("POST", "/tables", {"game": "ecard", "seats": [person] * 2, "colour": "red"})


SCENES: dict[str, Callable[[Conversation], Awaitable[None]]] = {
    "calls": calls,
    "ecard": ecard,
    "davenport": davenport,
    "shown": shown,
}
