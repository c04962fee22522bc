"""Kept accounts over the API: handle and recovery code, sign-in, devices, and undoing the use of a code."""

from __future__ import annotations

import json

import pytest

from tests.server.http.client import Caller, Meet, play_out, sit_down
from tests.server.http.keeping import account, asked, follow, keep, new_handle, sign_in
from tests.server.running import Server

ANDROID = "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


def test_a_guest_keeps_the_account_and_stays_the_same_person(ann: Caller, bob: Caller, meet: Meet) -> None:
    table = sit_down(ann, bob)
    play_out(table, ann, bob)
    before, handle = ann.person, new_handle()
    assert account(ann)["may_keep"]

    new = ann.ok("POST", "/account/code", {"handle": handle.upper()}, 201)
    assert account(ann)["handle"] is None  # nothing is kept before the code is confirmed
    session = ann.ok("POST", "/account/code/confirm", {"groups": [each.lower() for each in asked(new)]})
    follow(ann, session)

    assert (session["person"], session["handle"], session["name"]) == (before, handle.upper(), handle.upper())
    assert ann.ok("GET", "/session")["handle"] == handle.upper()
    kept = account(ann)
    assert (kept["handle"], kept["may_keep"]) == (handle.upper(), False)
    other = sign_in(meet, handle, new["code"].replace("-", " ").lower())
    assert other.person == before
    assert [game["table"] for game in other.ok("GET", "/people/me")["games"]] == [table]


def test_a_code_has_eight_groups_that_cannot_be_misread(ann: Caller) -> None:
    new = ann.ok("POST", "/account/code", {"handle": new_handle()}, 201)
    groups = new["code"].split("-")

    assert [len(group) for group in groups] == [4] * 8
    assert not set("01OIL") & set(new["code"])
    assert len(set(new["ask"])) == 2
    assert set(new["ask"]) <= set(range(1, 9))


def test_nothing_is_kept_without_the_groups_that_were_asked(ann: Caller) -> None:
    assert ann.refused("POST", "/account/code/confirm", {"groups": ["2222", "3333"]}) == (409, "not_now")
    new = ann.ok("POST", "/account/code", {"handle": new_handle()}, 201)

    for wrong in (["2222", "3333"], asked(new)[::-1], asked(new)[:1]):
        assert ann.refused("POST", "/account/code/confirm", {"groups": wrong}) == (403, "wrong_code")

    assert account(ann)["handle"] is None
    ann.ok("POST", "/account/code/confirm", {"groups": asked(new)})


@pytest.mark.parametrize(
    "handle", ["ab", "a" * 21, "a b", "ann!", "_ann", "-ann", "an\u0430", "a\u200bnn", "٣٤٥٦", "名前name"]
)
def test_a_handle_has_a_form(ann: Caller, handle: str) -> None:
    assert ann.refused("POST", "/account/code", {"handle": handle}) == (400, "bad_handle")


def test_an_account_has_one_handle(ann: Caller) -> None:
    keep(ann)

    assert ann.refused("POST", "/account/code", {"handle": new_handle()}) == (409, "not_now")


def test_a_new_code_replaces_the_old_one_when_it_is_confirmed(ann: Caller, meet: Meet) -> None:
    handle = new_handle()
    old = keep(ann, handle)
    new = ann.ok("POST", "/account/code", status=201)
    assert sign_in(meet, handle, old).person == ann.person

    follow(ann, ann.ok("POST", "/account/code/confirm", {"groups": asked(new)}))

    body = {"handle": handle, "code": old, "kind": "program"}
    assert meet().refused("POST", "/account/sign-in", body) == (403, "wrong_code")
    assert sign_in(meet, handle, new["code"]).person == ann.person
    assert meet("Guest").refused("POST", "/account/code") == (409, "not_now")


def test_devices_are_listed_and_signed_out(ann: Caller, meet: Meet) -> None:
    handle = new_handle()
    code = keep(ann, handle)
    ann.http.headers["User-Agent"] = ANDROID
    phone = meet()
    phone.http.headers.update({"User-Agent": ANDROID, "Origin": phone.base})
    phone.ok("POST", "/account/sign-in", {"handle": handle, "code": code}, 201)

    by_kind = {each["kind"]: each for each in account(ann)["devices"]}
    assert (by_kind["browser"]["app"], by_kind["browser"]["system"]) == ("Firefox", "Android")
    assert [by_kind[kind]["made"] for kind in ("program", "browser")] == ["guest", "code"]
    assert [by_kind[kind]["current"] for kind in ("program", "browser")] == [True, False]

    ann.ok("DELETE", f"/account/keys/{by_kind['browser']['id']}", status=204)

    assert phone.refused("GET", "/session") == (401, "needs_session")
    assert ann.refused("DELETE", f"/account/keys/{by_kind['browser']['id']}") == (404, "not_there")
    assert [each["kind"] for each in account(ann)["devices"]] == ["program"]


def test_all_other_devices_are_signed_out_and_this_one_stays_itself(ann: Caller, meet: Meet) -> None:
    handle = new_handle()
    code = keep(ann, handle)
    other = sign_in(meet, handle, code)
    (own,) = [each["id"] for each in account(ann)["devices"] if each["current"]]

    follow(ann, ann.ok("DELETE", "/people/me/sessions"))

    assert other.refused("GET", "/session") == (401, "bad_token")
    assert [each["id"] for each in account(ann)["devices"]] == [own]


def test_whoever_is_signed_in_already_only_gets_a_new_token(ann: Caller) -> None:
    handle = new_handle()
    code, before = keep(ann, handle), ann.token

    follow(ann, ann.ok("POST", "/account/sign-in", {"handle": handle, "code": code, "kind": "program"}, 200))

    assert ann.token != before
    assert len(account(ann)["devices"]) == 1


def test_an_account_is_exported_and_erased(ann: Caller, meet: Meet) -> None:
    handle = new_handle()
    code = keep(ann, handle)
    sign_in(meet, handle, code)

    data = ann.ok("GET", "/people/me/data")
    assert data["account"]["handle"] == handle
    assert [each["made"] for each in data["sessions"]] == ["code", "guest"]
    assert len(data["account"]["code_uses"]) == 1
    assert code not in json.dumps(data)
    ann.ok("DELETE", "/people/me", status=204)

    body = {"handle": handle, "code": code, "kind": "program"}
    assert meet().refused("POST", "/account/sign-in", body) == (403, "wrong_code")
    assert meet("Bob").refused("POST", "/account/code", {"handle": handle}) == (409, "handle_taken")
    assert meet("Cy").refused("GET", f"/people/{handle}") == (404, "not_there")


def test_an_operator_closes_sign_up(tmp_path_factory: pytest.TempPathFactory, server: Server) -> None:
    closed = Server(tmp_path_factory.mktemp("closed") / "data", FACEDOWN_SIGN_UP="closed").start()
    with Caller(closed.base) as guest:
        guest.begin("Guest")
        assert not account(guest)["may_keep"]
        assert guest.refused("POST", "/account/code", {"handle": new_handle()}) == (403, "sign_up_closed")
    closed.close()


def test_no_code_and_no_handle_is_in_a_log_or_an_error(server: Server, ann: Caller, meet: Meet) -> None:
    handle = new_handle()
    code = keep(ann, handle)
    wrong = "2222-" * 7 + "3333"
    answer = meet().ask("POST", "/account/sign-in", {"handle": code, "code": wrong, "kind": "program"})
    sign_in(meet, handle, code)

    written = server.log() + answer.text
    for secret in (code, wrong, *code.split("-")[:2]):
        assert secret not in written


# --- a guest who signs in ---------------------------------------------------------------------------------


def test_games_of_a_guest_stay_behind_at_a_sign_in(ann: Caller, bob: Caller, meet: Meet) -> None:
    handle, guest = new_handle(), meet("Guest")
    code = keep(ann, handle)
    table = sit_down(guest, bob)
    token = guest.token

    body = {"handle": handle, "code": code, "kind": "program"}
    follow(guest, guest.ok("POST", "/account/sign-in", body, 201))

    assert guest.person == ann.person
    assert guest.refused("GET", "/session", Authorization=f"Bearer {token}") == (401, "bad_token")
    assert guest.ok("GET", "/people/me")["games"] == []
    assert bob.see(table)["table"]["seats"][0]["name"] == "Guest"
