"""What every call goes through: bodies, methods, ids, headers, the log."""

from __future__ import annotations

import json

from tests.server.http.client import Caller, Meet
from tests.server.running import Server, until


def raw(caller: Caller, content: bytes, media: str = "application/json") -> tuple[int, str]:
    answer = caller.http.post("/session", content=content, headers={"Content-Type": media})
    return answer.status_code, answer.json()["code"]


def test_bodies_that_are_none(stranger: Caller) -> None:
    assert raw(stranger, b"") == (400, "bad_message")
    assert raw(stranger, b"{") == (400, "bad_message")
    assert raw(stranger, b"\xff\xfe{}") == (400, "bad_message")
    assert raw(stranger, b"[" * 16_000) == (400, "bad_message")
    assert raw(stranger, b'{"kind":"robot"}') == (400, "bad_message")
    assert raw(stranger, b'{"admin":true}') == (400, "bad_message")
    assert raw(stranger, b"{}", "text/plain") == (415, "wrong_media")
    assert raw(stranger, b'{"name":"' + b"x" * 17_000 + b'"}') == (413, "too_large")


def test_a_body_without_a_length_is_cut_off_as_well(stranger: Caller) -> None:
    answer = stranger.http.post(
        "/session",
        content=(b" " * 1000 for _ in range(30)),
        headers={"Content-Type": "application/json"},
    )

    assert answer.status_code == 413


def test_wrong_methods_and_paths(stranger: Caller) -> None:
    answer = stranger.ask("PUT", "/session", {})

    assert answer.status_code == 405
    assert answer.headers["allow"] == "DELETE, GET, HEAD, PATCH, POST"
    assert answer.json()["code"] == "wrong_method"
    assert stranger.refused("GET", "/nowhere") == (404, "not_there")
    assert stranger.refused("GET", "/games/") == (404, "not_there")
    assert stranger.refused("GET", "/tables/nonsense") == (404, "unknown_table")
    assert stranger.ask("HEAD", "/games").status_code == 200
    assert stranger.ask("HEAD", "/games").content == b""


def test_request_ids_come_back_if_they_look_like_one(stranger: Caller) -> None:
    good = stranger.ask("GET", "/games", X_Request_Id="proxy-12345678")
    bad = stranger.ask("GET", "/games", X_Request_Id="<script>alert(1)</script>")

    assert good.headers["x-request-id"] == "proxy-12345678"
    assert "script" not in bad.headers["x-request-id"]


def test_answers_cannot_be_framed_sniffed_or_kept(ann: Caller) -> None:
    headers = ann.ask("GET", "/session").headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["cache-control"] == "no-store"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "strict-transport-security" not in headers  # this server is reached over plain http
    assert "server" not in headers


def test_the_log_holds_routes_and_no_secrets(server: Server, meet: Meet) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    made = ann.make()
    joined = bob.join(made["table"], 2, made["invite"])
    bob.ok("GET", f"/tables/{made['table']}", Facedown_Seat=joined["token"])
    code = ann.ok("POST", "/session/handover", status=201)["code"]
    claim = meet().ok("POST", "/handovers", {"code": code}, status=201)["claim"]

    until(lambda: '"/api/v1/handovers"' in server.log())  # a request is logged after its answer
    log = server.log()
    lines = [json.loads(line) for line in log.splitlines()]

    assert {"/api/v1/tables/{table}/join", "/api/v1/handovers"} <= {line.get("route") for line in lines}
    for secret in (ann.token, bob.token, made["invite"], joined["token"], code, claim):
        assert secret not in log
