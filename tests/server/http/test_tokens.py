"""Personal tokens: made by an account, shown once, limited by scopes, revoked."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.server.accounts.tokens import SCOPES
from facedown.server.app import ENDPOINTS
from tests.server.http.client import Caller, Meet, play_out, sit_down
from tests.server.http.keeping import account, keep

TOKENS = "/account/tokens"


def make_token(caller: Caller, *scopes: str, name: str = "A program") -> Any:
    return caller.ok("POST", TOKENS, {"name": name, "scopes": scopes or SCOPES}, 201)


def program(meet: Meet, token: str) -> Caller:
    """A caller with a personal token."""
    caller = meet()
    caller.http.headers["Authorization"] = f"Bearer {token}"
    return caller


@pytest.fixture
def owner(ann: Caller) -> Caller:
    keep(ann)
    return ann


def test_a_token_is_shown_once_and_tells_its_last_use(owner: Caller, meet: Meet) -> None:
    made = make_token(owner, "tables:read", "people:read", name=" My\u202e  script ")
    secret = made["token"]
    assert secret.startswith("fdn_")
    assert len(secret) == 36
    (before,) = account(owner)["tokens"]
    assert before == made["info"]
    assert (before["name"], before["scopes"], before["used_at"]) == (
        "My script",
        ["tables:read", "people:read"],
        None,
    )

    assert program(meet, secret).ok("GET", "/session")["person"] == owner.person

    text = owner.ask("GET", "/account").text
    assert account(owner)["tokens"][0]["used_at"] >= before["at"]
    exported = owner.ok("GET", "/people/me/data")
    assert [each["name"] for each in exported["account"]["tokens"]] == ["My script"]
    assert secret not in text + str(exported)


def test_a_program_plays_with_a_token(owner: Caller, bob: Caller, meet: Meet) -> None:
    caller = program(meet, make_token(owner, "tables:write", "tables:read", "people:read")["token"])

    table = sit_down(caller, bob)
    play_out(table, caller, bob)

    assert [game["table"] for game in caller.ok("GET", "/people/me")["games"]] == [table]


def test_a_token_belongs_to_a_kept_account(bob: Caller) -> None:
    assert bob.refused("POST", TOKENS, {"name": "x", "scopes": ["tables:read"]}) == (409, "not_now")


def test_a_revoked_token_is_void_and_others_stay(owner: Caller, meet: Meet) -> None:
    first, second = make_token(owner), make_token(owner)
    callers = [program(meet, each["token"]) for each in (first, second)]

    owner.ok("DELETE", f"/account/keys/{first['info']['id']}", status=204)

    assert callers[0].refused("GET", "/session") == (401, "bad_token")
    callers[1].ok("GET", "/session")
    assert owner.refused("DELETE", f"/account/keys/{first['info']['id']}") == (404, "not_there")
    assert [each["id"] for each in account(owner)["tokens"]] == [second["info"]["id"]]


def test_every_scope_opens_a_call_and_every_area_has_scopes() -> None:
    assert {each.scope for each in ENDPOINTS if each.scope} == set(SCOPES)
