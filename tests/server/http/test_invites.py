from __future__ import annotations

from xml.etree import ElementTree

from facedown.core.chance import entropy_commitment
from tests.server.http.client import ENTROPY, Caller, Meet


def join_body(table: str, seat: int) -> dict[str, object]:
    return {"seat": seat, "commit": entropy_commitment(table, seat, ENTROPY).hex()}


def test_an_invitation_shows_its_table(ann: Caller, stranger: Caller) -> None:
    made = ann.make()
    ann.join(made["table"], 1)

    invited = stranger.ok("GET", f"/invites/{made['invite']}")

    assert invited["table"] == made["table"]
    assert invited["title"] == "E-Card"
    assert invited["seed_commit"] == made["seed_commit"]
    assert [seat["name"] for seat in invited["seats"]] == ["Ann", ""]
    assert invited["host"] == "Ann"


def test_a_seat_is_taken_once(ann: Caller, bob: Caller, meet: Meet) -> None:
    made = ann.make()
    joined = bob.join(made["table"], 2, made["invite"])
    path, invite = f"/tables/{made['table']}/join", {"invite": made["invite"]}

    assert joined["seat"] == 2
    assert meet("Eve").refused("POST", path, join_body(made["table"], 2) | invite) == (409, "seat_taken")
    assert bob.refused("POST", path, join_body(made["table"], 1) | invite) == (409, "seat_taken")
    assert meet("Eve").refused("POST", path, join_body(made["table"], 7) | invite)[0] in (400, 409)
    assert meet("Eve").refused("POST", path, {"seat": 1, "commit": "00", **invite}) == (400, "bad_message")


def test_an_invitation_opens_its_own_table_only(ann: Caller, bob: Caller) -> None:
    made, other = ann.make(), ann.make()
    for code in (other["invite"], "nonsense"):
        order = join_body(made["table"], 1) | {"invite": code}
        assert bob.refused("POST", f"/tables/{made['table']}/join", order) == (404, "unknown_invite")


def test_a_private_table_is_joined_by_invitation_or_by_its_host(ann: Caller, bob: Caller) -> None:
    made = ann.make()
    path = f"/tables/{made['table']}/join"

    assert bob.refused("POST", path, join_body(made["table"], 2)) == (404, "unknown_table")
    assert ann.join(made["table"], 1)["seat"] == 1


def test_anyone_joins_a_public_table(ann: Caller, bob: Caller) -> None:
    made = ann.make(public=True)

    assert bob.join(made["table"], 1)["seat"] == 1


def test_an_invitation_as_a_picture(ann: Caller, stranger: Caller) -> None:
    made = ann.make()

    answer = stranger.ask("GET", f"/invites/{made['invite']}/qr.svg")

    assert answer.headers["content-type"] == "image/svg+xml"
    assert ElementTree.fromstring(answer.content).tag.endswith("svg")
    assert stranger.refused("GET", "/invites/nonsense/qr.svg") == (404, "unknown_invite")
