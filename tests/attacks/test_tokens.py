"""Attacks with personal tokens and bots: calls beyond scopes, tokens in addresses and logs, disguises."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from facedown.core.chance import entropy_commitment
from facedown.server.accounts.tokens import MOST
from facedown.server.app import ENDPOINTS
from tests.server.http.client import ENTROPY, Caller, Meet, new_id, sit_down
from tests.server.http.keeping import account, keep, new_handle
from tests.server.http.test_bots import BOTS, make_bot
from tests.server.http.test_streams import events, next_of
from tests.server.http.test_tokens import TOKENS, make_token, program
from tests.server.running import Server

NEVER = ("account", "handover", "sessions", "data", "push", "admin", "pairing/ticket", "people/me/page")
"""Parts of paths that no token opens."""


@pytest.fixture
def ann(meet: Meet) -> Caller:
    caller = meet("Ann")
    keep(caller)
    return caller


def test_no_token_manages_tokens_accounts_devices_or_erasure(ann: Caller, meet: Meet) -> None:
    thief = program(meet, make_token(ann)["token"])
    person = ann.person

    tried = [each for each in ENDPOINTS if each.needs in ("session", "seat") and not each.area]
    assert any(each.path == "/api/v1/people/me" and each.method == "DELETE" for each in tried)
    assert not [each.path for each in ENDPOINTS if each.area and any(part in each.path for part in NEVER)]
    for each in tried:
        path = each.path.removeprefix("/api/v1").replace("{", "").replace("}", "")
        answer = thief.ask(each.method, path, {})
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong_scope"), each.path
    assert ann.ok("GET", "/session")["person"] == person


def test_a_token_reads_and_writes_only_what_its_scopes_say(ann: Caller, meet: Meet) -> None:
    reader = program(meet, make_token(ann, "tables:read")["token"])
    order = {"game": "ecard", "seats": [{"kind": "person"}] * 2}

    reader.ok("GET", "/tables?mine=true")
    assert reader.refused("POST", "/tables", order) == (403, "wrong_scope")
    assert reader.refused("GET", "/notices") == (403, "wrong_scope")
    assert reader.refused("GET", "/people/me") == (403, "wrong_scope")
    assert ann.ok("GET", "/tables?mine=true")["tables"] == []


def test_a_call_without_a_scope_does_not_know_the_person_of_a_token(ann: Caller, meet: Meet) -> None:
    caller = program(meet, make_token(ann)["token"])

    made = caller.ok("POST", "/session", {"name": "Someone", "kind": "program"}, 201)

    assert made["person"] != ann.person


def test_no_one_sees_or_revokes_the_token_of_another(ann: Caller, meet: Meet) -> None:
    thief, token = meet("Thief"), make_token(ann)
    keep(thief)

    assert account(thief)["tokens"] == []
    assert thief.refused("DELETE", f"/account/keys/{token['info']['id']}") == (404, "not_there")
    program(meet, token["token"]).ok("GET", "/session")


def test_a_guessed_token_is_refused_as_a_session_too(ann: Caller, meet: Meet) -> None:
    token = make_token(ann)["token"]
    thief = meet()

    thief.http.headers["Cookie"] = f"facedown_session={token}"
    assert thief.refused("GET", "/session") == (401, "needs_session")
    del thief.http.headers["Cookie"]
    assert program(meet, f"fdn_{'a' * 32}").refused("GET", "/games") == (401, "bad_token")


def test_a_token_in_an_address_is_refused_and_in_no_log(server: Server, meet: Meet, ann: Caller) -> None:
    token = make_token(ann)["token"]
    caller = meet()

    for path in (f"/tables?mine=true&token={token}", f"/tables/{token}", f"/invites/{token}"):
        assert caller.refused("GET", path) == (400, "bad_message")
    program(meet, token).ok("GET", "/session")

    assert token not in server.log()


def test_an_account_has_thirty_tokens_at_most(ann: Caller) -> None:
    wanted = {"name": "Another", "scopes": ["tables:read"]}
    answers = [ann.ask("POST", TOKENS, wanted).status_code for _ in range(MOST + 2)]

    assert answers == [201] * MOST + [409] * 2
    assert len(account(ann)["tokens"]) == MOST


def test_signing_out_everywhere_ends_tokens_too(ann: Caller, meet: Meet) -> None:
    thief = program(meet, make_token(ann)["token"])

    ann.ok("DELETE", "/people/me/sessions")

    assert thief.refused("GET", "/session") == (401, "bad_token")


# --- bots ------------------------------------------------------------------------------------------------


def test_a_bot_does_not_wait_among_people_or_take_their_public_seats(ann: Caller, meet: Meet) -> None:
    info, bot = make_bot(ann, meet)
    open_table = ann.make(public=True)
    commit = "00" * 32

    ticket = {"game": "ecard", "clock": {"kind": "none"}}
    assert bot.refused("PUT", "/pairing/ticket", ticket) == (403, "wrong_scope")
    assert bot.refused("POST", "/challenges", {"game": "ecard", "handle": info["handle"]})[0] == 403
    joined = bot.refused("POST", f"/tables/{open_table['table']}/join", {"seat": 1, "commit": commit})
    assert joined == (404, "unknown_table")


def test_a_bot_cannot_pass_as_a_person_and_no_person_as_a_bot(ann: Caller, meet: Meet) -> None:
    info, bot = make_bot(ann, meet)
    table = ann.make()
    assert bot.refused("PATCH", "/session", {"name": "Ann"}) == (403, "wrong_scope")
    body = {"seat": 2, "commit": entropy_commitment(table["table"], 2, ENTROPY).hex(), "name": "Ann"}
    bot.ok("POST", f"/tables/{table['table']}/join", body | {"invite": table["invite"]}, 201)

    names = [each["name"] for each in ann.ok("GET", f"/tables/{table['table']}")["table"]["seats"]]
    assert names[1] == info["name"]
    for name in ("Ann (bot: ann)", "x (BOT: y)", "x (b\u043et: y)"):
        assert meet("Pest").refused("PATCH", "/session", {"name": name}) == (400, "reserved_name")


def test_only_the_owner_manages_a_bot(ann: Caller, meet: Meet) -> None:
    info, bot = make_bot(ann, meet)
    thief = meet("Thief")
    keep(thief)
    path = f"{BOTS}/{info['handle']}"

    assert thief.refused("POST", f"{path}/token") == (404, "not_there")
    assert thief.refused("DELETE", path) == (404, "not_there")
    assert bot.refused("POST", BOTS, {"handle": new_handle()}) == (403, "wrong_scope")
    assert meet("Guest").refused("POST", BOTS, {"handle": new_handle()}) == (409, "not_now")
    assert thief.refused("POST", BOTS, {"handle": info["handle"]}) == (409, "handle_taken")
    bot.ok("GET", "/session")


def test_a_person_makes_five_bots_at_most(ann: Caller) -> None:
    answers = [ann.ask("POST", BOTS, {"handle": new_handle()}).status_code for _ in range(6)]

    assert answers == [201] * 5 + [409]


# --- streams of events -----------------------------------------------------------------------------------


def test_a_flood_of_streams_leaves_one_open(ann: Caller, meet: Meet) -> None:
    caller = program(meet, make_token(ann, "tables:read")["token"])
    with ExitStack() as streams:
        opened = [streams.enter_context(events(caller)) for _ in range(4)]
        for lines in opened:
            assert next(lines)["t"] == "state"
        for lines in opened[:-1]:
            assert next_of(lines, "end")["why"] == "replaced"
        table = ann.make()["table"]
        ann.join(table, 1)
        assert next_of(opened[-1], "game")["table"] == table


def test_a_revoked_token_ends_its_stream_with_a_reason(ann: Caller, meet: Meet) -> None:
    made = make_token(ann, "tables:read")
    with events(program(meet, made["token"])) as lines:
        next(lines)
        ann.ok("DELETE", f"/account/keys/{made['info']['id']}", status=204)
        assert next_of(lines, "end")["why"] == "signed_out"


# --- seat tokens -----------------------------------------------------------------------------------------


def seat_token(caller: Caller, table: str) -> str:
    return str(caller.ok("POST", f"/tables/{table}/resume")["token"])


def test_a_seat_token_ends_with_the_personal_token_that_fetched_it(ann: Caller, meet: Meet) -> None:
    table, made = sit_down(ann, meet("Bob")), make_token(ann)
    stolen = seat_token(program(meet, made["token"]), table)
    thief = meet()
    assert thief.ok("GET", f"/tables/{table}", Facedown_Seat=stolen)["table"]["yours"] == [1]
    other, own = sit_down(ann, meet("Cem")), meet()
    kept = seat_token(ann, other)

    ann.ok("DELETE", f"/account/keys/{made['info']['id']}", status=204)

    assert thief.refused("GET", f"/tables/{table}", Facedown_Seat=stolen) == (401, "bad_token")
    resigned = {"id": new_id(), "do": "resign", "decision": 1}
    refused = thief.refused("POST", f"/tables/{table}/commands", resigned, Facedown_Seat=stolen)
    assert refused == (401, "bad_token")
    own.ok("GET", f"/tables/{other}", Facedown_Seat=kept)  # another credential has fetched it


def test_a_seat_token_that_waits_for_its_first_use_ends_as_well(ann: Caller, meet: Meet) -> None:
    """The one before it is still valid, and belongs to another credential."""
    table, made = sit_down(ann, meet("Bob")), make_token(ann)
    kept = seat_token(ann, table)
    meet().ok("GET", f"/tables/{table}", Facedown_Seat=kept)
    stolen = seat_token(program(meet, made["token"]), table)

    ann.ok("DELETE", f"/account/keys/{made['info']['id']}", status=204)

    meet().ok("GET", f"/tables/{table}", Facedown_Seat=kept)
    assert meet().refused("GET", f"/tables/{table}", Facedown_Seat=stolen) == (401, "bad_token")


def test_a_seat_token_ends_with_the_token_of_a_bot_or_a_session(ann: Caller, meet: Meet) -> None:
    info, bot = make_bot(ann, meet)
    made = ann.make()
    of_bot = bot.join(made["table"], 2, made["invite"])["token"]
    guest = meet("Guest")
    of_guest = guest.join(made["table"], 1, made["invite"])["token"]

    ann.ok("POST", f"{BOTS}/{info['handle']}/token", status=201)
    guest.ok("DELETE", "/session", status=204)

    for seat in (of_bot, of_guest):
        assert meet().refused("GET", f"/tables/{made['table']}", Facedown_Seat=seat) == (401, "bad_token")
