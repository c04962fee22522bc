"""Keeping an account and signing in to it, for the tests of accounts and the attacks on them."""

from __future__ import annotations

from typing import Any

from tests.server.http.client import Caller, Meet, new_id


def new_handle() -> str:
    return f"h{new_id()[:12]}"


def asked(new: dict[str, Any]) -> list[str]:
    """The groups of a new code that are asked back."""
    groups = new["code"].split("-")
    return [groups[number - 1] for number in new["ask"]]


def keep(caller: Caller, handle: str = "") -> str:
    """Keep the caller's account; its recovery code. The caller goes on with the new token."""
    new = caller.ok("POST", "/account/code", {"handle": handle or new_handle()}, 201)
    session = caller.ok("POST", "/account/code/confirm", {"groups": asked(new)})
    follow(caller, session)
    return str(new["code"])


def follow(caller: Caller, session: dict[str, Any]) -> None:
    """Go on with the token of a session, if it has one: browsers have a cookie."""
    caller.person = session["person"]
    if "token" in session:
        caller.token = session["token"]
        caller.http.headers["Authorization"] = f"Bearer {caller.token}"


def sign_in(meet: Meet, handle: str, code: str, kind: str = "program") -> Caller:
    caller = meet()
    if kind == "browser":
        caller.http.headers["Origin"] = caller.base
    follow(caller, caller.ok("POST", "/account/sign-in", {"handle": handle, "code": code, "kind": kind}, 201))
    return caller


def account(caller: Caller) -> Any:
    return caller.ok("GET", "/account")
