"""Passkeys: made for an account, used on other devices, listed, removed, exported, and a host that moved."""

from __future__ import annotations

import pytest

from tests.server.http.authenticator import add_passkey, at_host, challenge, enter
from tests.server.http.client import Caller, Meet, meeting
from tests.server.http.keeping import account, keep, new_handle, sign_in
from tests.server.running import Server


def test_a_passkey_signs_a_new_browser_in(ann: Caller, meet: Meet) -> None:
    handle = new_handle()
    keep(ann, handle)
    passkey = add_passkey(ann)

    phone = meet()
    session = enter(phone, passkey)

    assert (session["person"], session["handle"]) == (ann.person, handle)
    assert phone.ok("GET", "/session")["person"] == ann.person
    assert {each["made"] for each in account(phone)["devices"]} == {"guest", "passkey"}
    assert "code_uses" not in ann.ok("GET", "/session")  # no device needs a warning
    (listed,) = account(ann)["passkeys"]
    assert listed["host"] == "localhost"


def test_what_a_browser_is_asked_for(ann: Caller) -> None:
    keep(ann)
    first = add_passkey(ann)

    options = ann.ok("POST", "/account/passkeys/options")["options"]

    assert options["rp"] == {"id": "localhost", "name": "Facedown"}
    assert options["attestation"] == "none"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert len(options["excludeCredentials"]) == 1
    again = add_passkey(ann)
    assert again.user == first.user  # one account on a device, however often it is asked
    assert ann.person.encode() not in again.user
    assert "allowCredentials" not in challenge(ann)


def test_a_guest_has_no_passkey(ann: Caller) -> None:
    at_host(ann)

    assert ann.refused("POST", "/account/passkeys/options") == (409, "not_now")


@pytest.mark.parametrize("host", ["127.0.0.1", "den.local"])
def test_there_are_no_passkeys_for_an_address_or_without_https(ann: Caller, host: str) -> None:
    keep(ann)
    at_host(ann, host)

    assert ann.refused("POST", "/account/passkeys/options")[1] in ("no_passkeys_here", "wrong_host")


def test_a_passkey_is_removed(ann: Caller, meet: Meet) -> None:
    keep(ann)
    passkey = add_passkey(ann)
    (listed,) = account(ann)["passkeys"]
    path = f"/account/passkeys/{listed['id']}"

    ann.ok("DELETE", path, status=204)

    phone = meet()
    answer = {"passkey": passkey.sign(challenge(phone))}
    assert phone.refused("POST", "/account/sign-in/passkey", answer) == (403, "wrong_passkey")
    assert ann.refused("DELETE", path) == (404, "not_there")


def test_passkeys_are_exported_and_erased(ann: Caller, meet: Meet) -> None:
    keep(ann)
    passkey = add_passkey(ann)
    (exported,) = ann.ok("GET", "/people/me/data")["account"]["passkeys"]
    assert exported["host"] == "localhost"

    ann.ok("DELETE", "/people/me", status=204)

    phone = meet()
    answer = {"passkey": passkey.sign(challenge(phone))}
    assert phone.refused("POST", "/account/sign-in/passkey", answer) == (403, "wrong_passkey")


def test_a_moved_host_is_reported_and_the_code_still_works(tmp_path_factory: pytest.TempPathFactory) -> None:
    data, handle = tmp_path_factory.mktemp("moved") / "data", new_handle()
    first = Server(data).start()
    with meeting(first.base) as meet:
        ann = meet("Ann")
        code = keep(ann, handle)
        add_passkey(ann)
    first.stop()

    moved = Server(data, FACEDOWN_PUBLIC_URL="https://new.example.org").start()
    with meeting(moved.base) as meet:
        assert sign_in(meet, handle, code).ok("GET", "/session")["handle"] == handle
    log = moved.log()
    moved.close()

    assert "passkeys of another host" in log
    assert '"passkeys": {"localhost": 1}' in log
    assert handle not in log
