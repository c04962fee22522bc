"""A client of the API for tests, which also plays."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any, TypeAlias

import httpx2

from facedown.core.chance import entropy_commitment, pick_commitment
from tests.patience import PATIENCE

ENTROPY = bytes(range(32))


class Caller:
    """A client of the API with a session of its own."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.http = httpx2.Client(
            base_url=f"{base}/api/v1",
            timeout=PATIENCE,
            trust_env=False,
            verify=False,  # nothing is encrypted here, and reading the certificates takes 50 ms
        )
        self.person = ""
        self.token = ""

    def __enter__(self) -> Caller:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.http.close()

    def begin(self, name: str, kind: str = "program") -> None:
        made = self.ok("POST", "/session", {"name": name, "kind": kind}, 201)
        self.person, self.token = made["person"], made.get("token", "")
        if self.token:
            self.http.headers["Authorization"] = f"Bearer {self.token}"
        else:
            self.http.headers["Origin"] = self.base

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> httpx2.Response:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.http.request(method, path, json=body, headers=sent)

    def ok(self, method: str, path: str, body: object = None, status: int = 200, **headers: str) -> Any:
        """The answer, which must be a success."""
        answer = self.ask(method, path, body, **headers)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def refused(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, str]:
        """The status and the code of a problem document."""
        answer = self.ask(method, path, body, **headers)
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        problem = answer.json()
        assert problem["status"] == answer.status_code
        assert problem["request"] == answer.headers["x-request-id"]
        assert problem["title"]
        assert problem["detail"]
        return answer.status_code, problem["code"]

    # --- playing --------------------------------------------------------------------------------------

    def make(self, game: str = "ecard", *, people: int = 2, machine: str = "", **more: object) -> Any:
        seats = [{"kind": "person"}] * people + ([{"kind": "machine", "machine": machine}] if machine else [])
        return self.ok("POST", "/tables", {"game": game, "seats": seats, **more}, 201)

    def join(self, table: str, seat: int, invite: str = "") -> Any:
        commit = entropy_commitment(table, seat, ENTROPY).hex()
        order = {"seat": seat, "commit": commit, **({"invite": invite} if invite else {})}
        return self.ok("POST", f"/tables/{table}/join", order, 201)

    def do(self, table: str, what: str, **more: object) -> Any:
        return self.ok("POST", f"/tables/{table}/commands", {"id": new_id(), "do": what, **more})

    def open(self, table: str) -> Any:
        return self.do(table, "open", entropy=ENTROPY.hex())

    def see(self, table: str) -> Any:
        return self.ok("GET", f"/tables/{table}")

    def pick(self, table: str, seat: int, decision: int, pick: str) -> Any:
        head = self.see(table)["table"]["turn"]["head"]
        return self.do(table, **sealed(table, seat, decision, pick, head))


Meet: TypeAlias = Callable[..., Caller]


def new_id() -> str:
    return secrets.token_hex(16)


def sealed(table: str, seat: int, decision: int, pick: str, head: str) -> dict[str, Any]:
    """A pick with its seal, as a command holds it; `head` is that of the open decision."""
    nonce = secrets.token_bytes(32)
    commit = pick_commitment(table, decision, seat, bytes.fromhex(head), pick, nonce).hex()
    return {"what": "pick", "decision": decision, "pick": pick, "commit": commit, "nonce": nonce.hex()}


def sit_down(ann: Caller, bob: Caller, **more: object) -> str:
    """A table at which Ann has seat 1 and Bob seat 2, dealt."""
    made = ann.make(**more)  # type: ignore[arg-type]  # what an order may hold
    table: str = made["table"]
    ann.join(table, 1)
    bob.join(table, 2, made["invite"])
    ann.open(table)
    bob.open(table)
    return table


def reveal_once(table: str, *callers: Caller) -> None:
    """The first picks of a game, up to its first reveal; the callers sit on the seats in this order."""
    while (snap := callers[0].see(table))["table"]["turn"]["decision"] == 1:
        for seat, caller in enumerate(callers, 1):
            if seat in caller.see(table)["table"]["turn"]["may_seal"]:
                caller.pick(table, seat, 1, caller.see(table)["legal"][0])
                break
        else:  # a machine thinks
            callers[0].ok("GET", f"/tables/{table}/events?after={snap['v']}&wait=1")


def sit_and_reveal(ann: Caller, bob: Caller, **more: object) -> str:
    """A table at which Ann has seat 1 and Bob seat 2, after the first reveal."""
    table = sit_down(ann, bob, **more)
    reveal_once(table, ann, bob)
    return table


def play_out(table: str, *callers: Caller, source: random.Random | None = None) -> None:
    """Random legal picks, until it is over; the callers sit on the first seats."""
    chooser = source or random.Random(7)
    while True:
        for seat, caller in enumerate(callers, 1):
            snap = caller.see(table)
            if snap["table"]["state"] == "over":
                return
            if seat in snap["table"]["turn"]["may_seal"]:
                caller.pick(table, seat, snap["table"]["turn"]["decision"], chooser.choice(snap["legal"]))
            elif len(callers) == 1:  # a machine thinks
                caller.ok("GET", f"/tables/{table}/events?after={snap['v']}&wait=1")


@contextmanager
def meeting(base: str) -> Iterator[Meet]:
    """`meet("Ann")` is a program, `meet("Ann", kind="browser")` a browser; `meet()` has no session."""
    with ExitStack() as open_callers:

        def meet(name: str = "", kind: str = "program") -> Caller:
            caller = open_callers.enter_context(Caller(base))
            if name:
                caller.begin(name, kind)
            return caller

        yield meet
