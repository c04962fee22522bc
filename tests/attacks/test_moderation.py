"""Attacks on people: squatters, insults, uninvited guests, strangers who talk, names that hurt."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from facedown.core.chance import entropy_commitment
from facedown.protocol.messages import SUBPROTOCOL
from tests.patience import PATIENCE
from tests.server.http.client import ENTROPY, Caller, Meet, sealed, sit_down
from tests.server.http.test_cases import case_of, decide, insult, moderator_of
from tests.server.running import Server, until


def joining(table: str, seat: int) -> dict[str, Any]:
    return {"seat": seat, "commit": entropy_commitment(table, seat, ENTROPY).hex()}


def messages_of(caller: Caller, table: str) -> list[str]:
    """The messages that a caller receives at a table."""
    return [each["text"] for each in caller.see(table)["table"]["said"]]


@contextmanager
def at_table(server: Server, table: str, token: str | None = None) -> Iterator[ClientConnection]:
    """A socket at a table; without a token that of an unknown spectator."""
    address = server.base.replace("http", "ws", 1) + "/ws/v1"
    protocol = Subprotocol(SUBPROTOCOL)
    with connect(address, subprotocols=[protocol], compression=None, open_timeout=PATIENCE) as socket:
        socket.send(json.dumps({"t": "hello", "table": table, "token": token}))
        yield socket


def next_message(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of this kind."""
    end = time.monotonic() + PATIENCE  # for all of them: pings come without end
    while (message := json.loads(socket.recv(max(end - time.monotonic(), 0))))["t"] != kind:
        pass
    return dict(message)


def test_a_squatter_is_put_out_and_kept_out(meet: Meet) -> None:
    """A squatter takes a public seat again and again. Only the host can free it, or close the table later."""
    host, friend, squatter = meet("Host"), meet("Friend"), meet("Squatter")
    table = host.make("davenport", people=3, public=True)["table"]
    host.join(table, 1)
    squatter.join(table, 2)
    free = {"id": "free", "do": "free", "seat": 2}
    assert friend.refused("POST", f"/tables/{table}/commands", free) == (403, "not_yours")
    blocking = {"kind": "block", "table": table, "seat": 2}
    host.ok("POST", "/people/me/relations", blocking, 201)
    host.do(table, "free", seat=2)

    again = squatter.refused("POST", f"/tables/{table}/join", joining(table, 2))
    friend.join(table, 2)
    taken = squatter.refused("POST", f"/tables/{table}/join", joining(table, 2))

    assert again == taken == (409, "seat_taken"), "who is blocked hears what everybody hears"
    meet("Third").join(table, 3)
    evict = {"id": "evict", "do": "free", "seat": 2}
    assert host.refused("POST", f"/tables/{table}/commands", evict) == (409, "not_now")
    assert host.see(table)["table"]["state"] == "opening", "the promises are fixed: nothing can be exchanged"
    host.do(table, "close")
    assert host.see(table)["table"]["state"] == "closed"


def test_a_blocked_person_gets_to_no_table_and_no_rematch(meet: Meet) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob, rules="decisive(rounds=1,group=1)")
    blocked = ann.ok("POST", "/people/me/relations", {"kind": "block", "table": table, "seat": 2}, 201)
    bob.do(table, "resign", decision=1)

    rematch = {"id": "again", "do": "rematch"}
    assert bob.refused("POST", f"/tables/{table}/commands", rematch) == (409, "not_now")
    invited = ann.make()
    path = f"/tables/{invited['table']}/join"
    order = joining(invited["table"], 2) | {"invite": invited["invite"]}
    assert bob.refused("POST", path, order) == (409, "seat_taken")

    ann.ok("DELETE", f"/people/me/relations/{blocked['id']}", status=204)
    bob.ok("POST", path, order, 201)
    assert bob.ok("POST", f"/tables/{table}/commands", rematch)["next"]


def test_messages_of_a_muted_person_arrive_nowhere(meet: Meet, server: Server) -> None:
    """Live, in snapshots, in missed events, at the next table, after a restart: not a word."""
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob)
    bob.do(table, "say", text="insult 1")
    [message] = ann.see(table)["table"]["said"]
    token = ann.ok("POST", f"/tables/{table}/resume", {})["token"]
    with at_table(server, table, token) as socket:
        next_message(socket, "snap")
        ann.ok("POST", "/people/me/relations", {"kind": "mute", "table": table, "message": message["v"]}, 201)
        v = bob.do(table, "say", text="insult 2")["v"]
        bob.do(table, "say", preset="laugh")
        event = next_message(socket, "ev")
        assert event == {"t": "ev", "v": v, "k": "-"}
        ann.do(table, "say", text="peace")
        next_message(socket, "ev")
        assert next_message(socket, "ev")["text"] == "peace"
    server.kill()
    server.start()
    assert messages_of(ann, table) == ["peace"]
    assert messages_of(bob, table) == ["insult 1", "insult 2", None, "peace"]
    events = json.dumps(ann.ok("GET", f"/tables/{table}/events"))
    assert "insult" not in events
    assert "laugh" not in events
    other = sit_down(ann, bob)
    bob.do(other, "say", text="insult 3")
    assert messages_of(ann, other) == []


def test_a_table_without_chat_is_quiet(meet: Meet) -> None:
    """By its setup, or by the host at any time; not even emotes, and no other player switches it."""
    ann, bob = meet("Ann"), meet("Bob")
    quiet, table = sit_down(ann, bob, chat=False), sit_down(ann, bob)
    assert ann.see(quiet)["table"]["chat"] is False
    for words in ({"text": "hello"}, {"preset": "smile"}):
        talk = {"id": "talk", "do": "say", **words}
        assert bob.refused("POST", f"/tables/{quiet}/commands", talk) == (409, "not_now")
    switch = {"id": "switch", "do": "chat", "on": False}
    assert bob.refused("POST", f"/tables/{table}/commands", switch) == (403, "not_yours")

    ann.do(table, "chat", on=False)

    assert bob.refused("POST", f"/tables/{table}/commands", {**talk, "id": "t2"}) == (409, "not_now")
    ann.do(table, "chat", on=True)
    bob.do(table, "say", preset="smile")


def test_spectators_without_a_session_cannot_talk(meet: Meet, server: Server) -> None:
    ann, bob, eve = meet("Ann"), meet("Bob"), meet("Eve")
    table = sit_down(ann, bob)
    with at_table(server, table) as socket:
        next_message(socket, "snap")
        socket.send(json.dumps({"t": "cmd", "id": "shout", "do": "say", "text": "buy now"}))
        assert next_message(socket, "nak")["code"] == "needs_session"
    eve.do(table, "say", text="well played")
    assert messages_of(eve, table) == ["well played"]


def test_what_is_reported_reaches_the_operator_with_its_evidence(meet: Meet, operator: Caller) -> None:
    """Only the operator reads it; and when the person is erased, no insult is left behind."""
    ann, bob, eve = meet("Ann"), meet("B0B the Rude"), meet("Eve")
    table = sit_down(ann, bob, watch="nobody")
    v = bob.do(table, "say", text="an insult")["v"]
    report = {"about": "words", "table": table, "message": v, "why": "rude"}
    assert eve.refused("POST", "/reports", report) == (404, "unknown_table")
    assert ann.refused("POST", "/reports", {**report, "message": v - 1}) == (400, "bad_message")
    for _ in range(3):
        ann.ok("POST", "/reports", report, 204)
    on_seat = {"table": table, "seat": 2}
    assert ann.refused("POST", "/reports", on_seat) == (400, "bad_message"), "nothing is said of what"
    assert ann.refused("POST", "/reports", {**on_seat, "about": "words"}) == (400, "bad_message")
    for about in ("name", "stalling"):
        ann.ok("POST", "/reports", {**on_seat, "about": about}, 204)

    case = case_of(operator, bob)["id"]
    reports = operator.ok("GET", f"/admin/cases?number={case}")["cases"][0]["reports"]

    fields = ("about", "v", "text", "why")
    assert [tuple(each[field] for field in fields) for each in reports] == [
        ("words", v, "an insult", "rude"),
        ("name", 0, "B0B the Rude", ""),
        ("stalling", 0, "B0B the Rude", ""),
    ]
    [found] = operator.ok("GET", "/admin/people?find=b0b")["people"]
    assert (found["person"], found["reports"], found["seats"]) == (bob.person, 3, 1)

    operator.ok("DELETE", f"/admin/people/{bob.person}", status=204)

    assert operator.ok("GET", "/admin/people?find=b0b")["people"] == []
    assert operator.refused("GET", f"/admin/cases?number={case}") == (404, "not_there")
    until(lambda: "Rude" not in json.dumps(ann.see(table)["table"]))


def test_the_operator_sees_who_hit_which_limit(meet: Meet, operator: Caller) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob)
    report = {"about": "name", "table": table, "seat": 2}
    while ann.ask("POST", "/reports", report).status_code == 204:
        pass
    hits = operator.ok("GET", "/admin/limits")["hits"]
    assert ("too many reports", "Ann") in {(each["limit"], each["name"]) for each in hits}


# --- cases, moderators and the audit list ------------------------------------------------------------------

DOORS = (
    *(("GET", path) for path in ("cases", "cases?number=1", "audit", "people", "tables", "limits", "pairs")),
    *(("POST", path) for path in ("cases/1", "key", "tables/X/close")),
    ("DELETE", "people/X"),
    *((method, "moderators/X") for method in ("PUT", "DELETE")),
)


def test_no_player_opens_an_operators_door(meet: Meet) -> None:
    """Neither with a cookie nor with a token of a program, and the answer does not say what is there."""
    program, browser, stranger = meet("Program"), meet("Browser", kind="browser"), meet()
    for method, path in DOORS:
        assert program.refused(method, f"/admin/{path}") == (401, "bad_token"), path
        assert stranger.refused(method, f"/admin/{path}") == (401, "bad_token"), path
        assert browser.refused(method, f"/admin/{path}") == (403, "operators_only"), path


def test_a_moderator_does_not_become_more(meet: Meet, operator: Caller) -> None:
    moderator, other = (moderator_of(operator, meet, name) for name in ("Moss", "Boss"))
    guest = meet("Guest")

    for method, path in DOORS:
        if not path.startswith("cases"):
            assert moderator.refused(method, f"/admin/{path}") == (403, "operators_only"), path
    for person in (moderator.person, other.person, guest.person):
        assert moderator.refused("PUT", f"/admin/moderators/{person}") == (403, "operators_only")
    assert moderator.refused("DELETE", f"/admin/people/{other.person}") == (403, "operators_only")
    as_guest = operator.refused("PUT", f"/admin/moderators/{guest.person}")
    assert as_guest == (409, "not_now"), "a guest is no moderator"


def test_nobody_judges_their_own_case(meet: Meet, operator: Caller) -> None:
    """Not as the one who is reported, not as the one who reported, and not that of another moderator."""
    moderator = moderator_of(operator, meet, "Moss")
    ann = meet("Ann")
    table = sit_down(ann, moderator)
    v = moderator.do(table, "say", text="I am the law")["v"]
    ann.ok("POST", "/reports", {"about": "words", "table": table, "message": v}, 204)
    own = case_of(operator, moderator)["id"]
    hers = ann.do(table, "say", text="you are not")["v"]
    moderator.ok("POST", "/reports", {"about": "words", "table": table, "message": hers}, 204)
    reported = case_of(operator, ann)["id"]
    third = moderator_of(operator, meet, "Third")

    for case in (own, reported):
        assert moderator.refused("GET", f"/admin/cases?number={case}") == (403, "no_judge")
        dismissal = {"sanction": "none"}
        assert moderator.refused("POST", f"/admin/cases/{case}", dismissal) == (403, "no_judge")
        assert case not in [each["case"]["id"] for each in moderator.ok("GET", "/admin/cases")["cases"]]
    assert third.refused("POST", f"/admin/cases/{own}", {}) == (403, "no_judge")
    decide(operator, own, "warning")
    third.ok("POST", f"/admin/cases/{reported}", {})


def test_cases_of_others_cannot_be_guessed(meet: Meet, operator: Caller) -> None:
    rude, ann, _ = insult(meet)
    case = case_of(operator, rude)["id"]
    decide(operator, case, "warning")

    for number in (case, case + 1, 0, 10**14, "x"):
        answer = {"text": "I meddle"}
        assert ann.refused("POST", f"/people/me/cases/{number}/answer", answer) == (404, "not_there")
    assert ann.ok("GET", "/people/me/cases")["cases"] == []


def test_every_act_is_on_the_audit_list(meet: Meet, operator: Caller) -> None:
    """Also one that fails; and erasing one's own account does not wipe one's acts."""
    moderator = moderator_of(operator, meet, "Moss")
    rude, _, _ = insult(meet)
    case = case_of(moderator, rude)["id"]
    moderator.refused("POST", f"/admin/cases/{case}", {"sanction": "closed"})
    decide(moderator, case, "warning")
    operator.ok("DELETE", f"/admin/people/{rude.person}", status=204)

    acts = operator.ok("GET", "/admin/audit")["entries"]
    mine = [(each["detail"], each["outcome"]) for each in acts if each["by"] == moderator.person]
    assert mine == [
        (f"{case}, sanction warning, days 7", "done"),
        (f"{case}, sanction closed", "bad_message"),
    ]
    assert ("erase_person", "done") in [(each["action"], each["outcome"]) for each in acts]
    assert rude.person not in json.dumps(acts), "who was erased is not on the list"
    operator.ok("DELETE", f"/admin/moderators/{moderator.person}", status=204)
    moderator.ok("DELETE", "/people/me", status=204)
    acts = operator.ok("GET", "/admin/audit")["entries"]
    assert [each["by"][:7] for each in acts if each["action"] == "decide_case"][:2] == ["erased-"] * 2


def test_a_closed_account_opens_no_socket(meet: Meet, operator: Caller, server: Server) -> None:
    rude, ann, table = insult(meet)
    seat = rude.ok("POST", f"/tables/{table}/resume", {})["token"]
    decide(operator, case_of(operator, rude)["id"], "closed")

    with at_table(server, table, rude.token) as socket:
        assert next_message(socket, "bye")["code"] in ("account_closed", "bad_token")
    again = {"id": "x", "do": "say", "text": "I am back"}
    assert rude.refused("POST", f"/tables/{table}/commands", again) == (403, "account_closed")
    pick = sealed(table, 2, 1, "C", ann.see(table)["table"]["turn"]["head"])
    placing = {"id": "y", "do": pick.pop("what"), **pick}
    kept = meet().refused("POST", f"/tables/{table}/commands", placing, Facedown_Seat=seat)
    assert kept == (403, "account_closed"), "with the token of the seat"
    ann.do(table, "say", text="quiet here")
