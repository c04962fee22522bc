"""Attacks on kept accounts: guessed codes, handles that look alike, planted sessions, a stolen code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.http.client import Caller, Meet, meeting, sit_down
from tests.server.http.keeping import account, asked, follow, keep, new_handle, sign_in
from tests.server.http.test_streams import events, next_of
from tests.server.kept import kept_by
from tests.server.running import Server

WRONG = "-".join(["2222"] * 8)


@pytest.fixture
def strict(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the usual limits, or fewer guesses, behind a proxy that says where its clients are."""
    guesses = getattr(request, "param", "20")
    usual = {"FACEDOWN_ACCOUNTS": "20", "FACEDOWN_GUESSES": guesses, "FACEDOWN_PROXIES": "127.0.0.1"}
    running = Server(tmp_path_factory.mktemp("strict") / "data", **usual).start()
    yield running
    running.close()


def at(caller: Caller, address: str) -> Caller:
    caller.http.headers["X-Forwarded-For"] = address
    return caller


def guess(caller: Caller, handle: str, code: str = WRONG) -> tuple[int, str]:
    return caller.refused("POST", "/account/sign-in", {"handle": handle, "code": code, "kind": "program"})


def hand_over_to(device: Caller, first: Caller) -> None:
    """The device becomes another one of the first caller's person."""
    code = first.ok("POST", "/session/handover", {}, 201)["code"]
    claimed = device.ok("POST", "/handovers", {"code": code}, 201)
    first.ok("POST", "/session/handover/answer", {"digits": claimed["digits"], "allow": True}, 204)
    body = {"claim": claimed["claim"], "kind": "program"}
    follow(device, device.ok("POST", "/handovers/session", body)["session"])


# --- guessed codes ---------------------------------------------------------------------------------------


def test_an_unknown_handle_and_a_wrong_code_are_answered_alike(meet: Meet) -> None:
    handle = new_handle()
    keep(meet("Ann"), handle)
    body = {"code": WRONG, "kind": "program"}
    thief = meet()

    answers = [
        thief.ask("POST", "/account/sign-in", {**body, "handle": each})
        for each in (handle, "no one has this", "x", new_handle())
    ]

    problems = [{**each.json(), "request": ""} for each in answers]
    assert problems[1:] == problems[:-1]
    assert (problems[0]["status"], problems[0]["code"]) == (403, "wrong_code")


def test_wrong_codes_are_limited_by_address_and_the_right_one_never_is(strict: Server) -> None:
    handle = new_handle()
    with meeting(strict.base) as meet:
        code = keep(at(meet("Ann"), "192.0.2.1"), handle)
        right = {"handle": handle, "code": code, "kind": "program"}
        thief = at(meet(), "192.0.2.66")
        answers = [guess(thief, handle) for _ in range(10)]
        while answers[-1] == (403, "wrong_code"):
            answers.append(guess(thief, new_handle()))
        assert len(answers) > 20
        assert answers[-1] == (429, "too_many")  # of any handle, from one address

        for address in ("192.0.2.1", "192.0.2.66"):
            owner = at(meet(), address)
            follow(owner, owner.ok("POST", "/account/sign-in", right, 201))


def test_wrong_codes_from_many_addresses_lock_no_owner_out(strict: Server) -> None:
    handle = new_handle()
    with meeting(strict.base) as meet:
        code = keep(at(meet("Ann"), "192.0.2.1"), handle)
        thief = meet()
        for address in range(10):
            at(thief, f"198.51.100.{address}")
            assert [guess(thief, handle) for _ in range(10)] == [(403, "wrong_code")] * 10

        owner = at(meet(), "203.0.113.11")
        body = {"handle": handle, "code": code, "kind": "program"}
        follow(owner, owner.ok("POST", "/account/sign-in", body, 201))


# --- handles ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("handle", "like_it"),
    [
        ("modern-ann", ["MODERN-ANN", "modernann", "modern_ann", "rnodern-ann", "rnodernann"]),
        ("will", ["wi11", "w1ll", "wlll", "WILL", "vvill"]),
        ("bob0", ["bobo", "B0B0", "ｂｏｂｏ"]),
        ("ace-x", ["\u0430\u0441\u0435-\u0445", "acex"]),
        ("caf\u00e9", ["cafe", "cafe\u0301"]),
        ("カニロ", ["力二口"]),
        ("quo", ["զսօ"]),
        ("bow", ["ьоѡ"]),
    ],
)
def test_no_handle_looks_like_another_one(meet: Meet, handle: str, like_it: list[str]) -> None:
    ann = meet("Ann")
    keep(ann, handle)
    eve = meet("Eve")

    refused = {each: eve.refused("POST", "/account/code", {"handle": each}) for each in like_it}

    assert refused == dict.fromkeys(like_it, (409, "handle_taken"))
    ann.ok("DELETE", "/people/me", status=204)  # nor does it become free
    assert eve.refused("POST", "/account/code", {"handle": like_it[0]}) == (409, "handle_taken")


@pytest.mark.parametrize("handle", ["wiǀǀ", "bɩll", "ꓮꓠꓠ", "ᏢᎪᎢ", "ⲁⲛⲛⲁ", "𐐬𐐬𐐬", "ƨue", "ᴀɴɴ"])
def test_no_handle_has_letters_that_are_there_to_look_like_others(meet: Meet, handle: str) -> None:
    """Clicks and phonetic letters among Latin ones, and scripts of which half looks Latin."""
    assert meet("Eve").refused("POST", "/account/code", {"handle": handle}) == (400, "bad_handle")


@pytest.mark.parametrize("handle", ["admin", "Adm1n", "0perator", "sage", "sage_2", "face-down", "システム"])
def test_no_handle_is_one_of_the_system_or_a_machine(meet: Meet, handle: str) -> None:
    assert meet("Eve").refused("POST", "/account/code", {"handle": handle}) == (400, "reserved_name")


def test_a_handle_is_not_reserved_by_asking_for_it(meet: Meet) -> None:
    squatter, ann, handle = meet("Eve"), meet("Ann"), new_handle()
    taken = squatter.ok("POST", "/account/code", {"handle": handle}, 201)

    keep(ann, handle)

    refused = squatter.refused("POST", "/account/code/confirm", {"groups": asked(taken)})
    assert refused == (409, "handle_taken")
    assert account(squatter)["handle"] is None


def test_one_address_keeps_few_accounts(strict: Server) -> None:
    with meeting(strict.base) as meet:
        for number in range(20):
            keep(meet(f"Eve {number}"))
        last = meet("Eve")
        new = last.ok("POST", "/account/code", {"handle": new_handle()}, 201)
        refused = last.refused("POST", "/account/code/confirm", {"groups": asked(new)})

    assert refused == (429, "too_many")


def test_an_erased_account_leaves_nothing_of_its_handle(meet: Meet, server: Server) -> None:
    ann = meet("Ann")
    handle = "quastenflosser-99"
    keep(ann, handle)
    assert handle.encode() in kept_by(server).everything()

    ann.ok("DELETE", "/people/me", status=204)

    assert handle.encode() not in kept_by(server).everything()


# --- planted sessions ------------------------------------------------------------------------------------


def planted(meet: Meet) -> tuple[Caller, Caller]:
    """An attacker's guest, and a victim's browser into which its cookie was planted."""
    eve, victim = meet("Eve", kind="browser"), meet()
    victim.http.headers["Origin"] = victim.base
    victim.http.cookies.update(eve.http.cookies)
    assert victim.ok("GET", "/session")["person"] == eve.person
    return eve, victim


def subscription(name: str) -> dict[str, object]:
    keys = {"p256dh": "B" * 87, "auth": "B" * 22}
    return {"endpoint": f"https://fcm.googleapis.com/{name}", "keys": keys}


def test_nothing_that_was_taken_from_a_planted_session_outlives_promotion(meet: Meet) -> None:
    eve, victim, bob = *planted(meet), meet("Bob")
    table = eve.make()
    seat = eve.join(table["table"], 1)["token"]
    bob.join(table["table"], 2, table["invite"])
    second = meet()
    hand_over_to(second, eve)

    with events(second) as lines:
        next(lines)
        keep(victim)
        assert next_of(lines, "end")["why"] == "signed_out"

    for session in (eve, second):
        assert session.refused("GET", "/session")[1] in ("needs_session", "bad_token")
    assert meet().refused("GET", f"/tables/{table['table']}", Facedown_Seat=seat) == (401, "bad_token")
    assert [each["current"] for each in account(victim)["devices"]] == [True]


@pytest.mark.parametrize("how", ["promotion", "sign-out"])
def test_nothing_that_was_prepared_in_a_shared_session_outlives_its_token(meet: Meet, how: str) -> None:
    """Notifications, and a handover that was allowed but not taken yet, belong to the very session
    that the owner goes on with: its new token must not leave them to anyone who knew the old one."""
    eve, victim = planted(meet)
    if how == "sign-out":
        keep(victim)
        eve.http.cookies.clear()
        eve.http.cookies.update(victim.http.cookies)  # stolen this time
    eve.ok("PUT", "/push/subscription", subscription("eve"), 204)
    second = meet()
    code = eve.ok("POST", "/session/handover", {}, 201)["code"]
    claimed = second.ok("POST", "/handovers", {"code": code}, 201)
    eve.ok("POST", "/session/handover/answer", {"digits": claimed["digits"], "allow": True}, 204)

    if how == "sign-out":
        victim.ok("DELETE", "/people/me/sessions")
    else:
        keep(victim)

    taken = second.refused("POST", "/handovers/session", {"claim": claimed["claim"], "kind": "program"})
    assert taken == (401, "bad_token")
    assert victim.ok("GET", "/people/me/data")["notified"] == []
    assert [each["current"] for each in account(victim)["devices"]] == [True]


@pytest.mark.parametrize("how", ["here", "device", "elsewhere"])
def test_a_stream_ends_at_sign_out(meet: Meet, how: str) -> None:
    handle, ann = new_handle(), meet("Ann")
    phone = sign_in(meet, handle, keep(ann, handle))
    (device,) = [each["id"] for each in account(ann)["devices"] if not each["current"]]
    ways = {
        "here": (phone, "DELETE", "/session"),
        "device": (ann, "DELETE", f"/account/keys/{device}"),
        "elsewhere": (ann, "DELETE", "/people/me/sessions"),
    }

    with events(phone) as lines:
        next(lines)
        caller, method, path = ways[how]
        answer = caller.ask(method, path)
        assert answer.is_success
        assert next_of(lines, "end")["why"] == "signed_out"


@pytest.mark.parametrize("strict", ["2"], indirect=True)  # one comes back after half a minute
def test_codes_of_a_handover_are_not_guessed(strict: Server) -> None:
    with meeting(strict.base) as meet:
        ann = at(meet("Ann"), "192.0.2.1")
        real = ann.ok("POST", "/session/handover", {}, 201)["code"]
        thief = at(meet(), "192.0.2.66")
        tried = [thief.refused("POST", "/handovers", {"code": f"{number:012d}"}) for number in range(3)]

        assert tried == [(401, "bad_token")] * 2 + [(429, "too_many")]
        assert thief.refused("POST", "/handovers", {"code": real}) == (429, "too_many")


def test_a_planted_session_ends_at_sign_in(meet: Meet) -> None:
    handle, ann = new_handle(), meet("Ann")
    code = keep(ann, handle)
    eve, victim = planted(meet)

    session = victim.ok("POST", "/account/sign-in", {"handle": handle, "code": code}, 201)

    assert session["person"] == ann.person
    assert victim.ok("GET", "/session")["person"] == ann.person
    assert eve.refused("GET", "/session") == (401, "needs_session")


def test_a_page_of_another_site_signs_no_browser_in(meet: Meet) -> None:
    handle = new_handle()
    code = keep(meet("Eve"), handle)  # a visitor would play as the attacker
    victim = meet("Ann", kind="browser")

    for caller in (victim, meet()):
        refused = caller.refused(
            "POST", "/account/sign-in", {"handle": handle, "code": code}, Origin="https://evil.example"
        )
        assert refused == (403, "wrong_origin")
    assert victim.ok("GET", "/session")["name"] == "Ann"


# --- a stolen code ---------------------------------------------------------------------------------------


def new_code(owner: Caller) -> str:
    """A new recovery code, confirmed."""
    made = owner.ok("POST", "/account/code", {}, 201)
    follow(owner, owner.ok("POST", "/account/code/confirm", {"groups": asked(made)}))
    return str(made["code"])


def test_the_owner_learns_at_once_that_a_code_was_used(meet: Meet) -> None:
    handle, ann = new_handle(), meet("Ann")
    code, phone = keep(ann, handle), meet()
    hand_over_to(phone, ann)
    thief = sign_in(meet, handle, code)

    (device,) = [each for each in account(ann)["devices"] if each["made"] == "code"]
    for own in (ann, phone):
        (use,) = own.ok("GET", "/session")["code_uses"]
        assert (use["id"], use["app"], use["system"]) == (device["id"], device["app"], device["system"])
        assert device["since"] <= use["at"]
        assert [each["kind"] for each in own.ok("GET", "/notices")["notices"]] == ["code_used"]
    assert "code_uses" not in thief.ok("GET", "/session")


def test_nothing_that_a_thief_does_takes_the_notice_away(meet: Meet) -> None:
    handle, ann = new_handle(), meet("Ann")
    thief = sign_in(meet, handle, keep(ann, handle))
    (use,) = ann.ok("GET", "/session")["code_uses"]

    thief.ok("PUT", "/notices/read", {"at": use["at"] + 60_000}, 204)
    second = meet()
    hand_over_to(second, thief)
    thief.ok("DELETE", "/session", status=204)

    assert ann.ok("GET", "/session")["code_uses"] == [use]
    assert [each["id"] for each in ann.ok("GET", "/notices")["notices"]] == [f"code-{use['id']}"]


def test_the_owner_ends_what_a_thief_has_with_the_code(meet: Meet) -> None:
    """Every session of the thief, those that were handed over too, and the code."""
    handle, ann = new_handle(), meet("Ann")
    code = keep(ann, handle)
    thief, again, made_from_it = sign_in(meet, handle, code), sign_in(meet, handle, code), meet()
    hand_over_to(made_from_it, thief)
    (used, _) = ann.ok("GET", "/session")["code_uses"]

    ann.ok("DELETE", f"/account/keys/{used['id']}", status=204)
    assert sorted(each.ask("GET", "/session").status_code for each in (thief, again)) == [200, 401]
    new = new_code(ann)
    follow(ann, ann.ok("DELETE", "/people/me/sessions"))

    for session in (thief, again, made_from_it):
        assert session.refused("GET", "/session") == (401, "bad_token")
    assert guess(meet(), handle, code) == (403, "wrong_code")
    assert sign_in(meet, handle, new).person == ann.person


def test_no_one_signs_a_device_of_another_account_out(meet: Meet) -> None:
    handle, ann, eve = new_handle(), meet("Ann"), meet("Eve")
    phone = sign_in(meet, handle, keep(ann, handle))
    keep(eve)
    (use,) = ann.ok("GET", "/session")["code_uses"]

    assert eve.refused("DELETE", f"/account/keys/{use['id']}") == (404, "not_there")
    assert phone.ok("GET", "/session")["handle"] == handle


# --- a link that takes a guest away ----------------------------------------------------------------------


def test_a_link_takes_no_guest_away_from_their_games_unasked(meet: Meet) -> None:
    """A handover link of someone else: one press must not end the guest's only session."""
    handle, eve, victim = new_handle(), meet("Eve"), meet("Victim")
    keep(eve, handle)
    table = sit_down(victim, meet("Bob"))

    claimed = victim.ok("POST", "/handovers", {"code": code_of(eve)}, 201)
    body = {"claim": claimed["claim"], "kind": "program"}
    assert (claimed["name"], claimed["handle"], claimed["games"]) == (handle, handle, 1)
    assert victim.refused("POST", "/handovers/session", body) == (409, "guest_has_games")  # at once
    eve.ok("POST", "/session/handover/answer", {"digits": claimed["digits"], "allow": True}, 204)
    assert victim.refused("POST", "/handovers/session", body) == (409, "guest_has_games")

    assert victim.see(table)["table"]["yours"] == [1]
    taken = victim.ok("POST", "/handovers/session", {**body, "leave": True})  # asked, and wanted
    assert taken["session"]["person"] == eve.person


def test_no_one_is_asked_about_games_they_do_not_have(meet: Meet) -> None:
    ann, phone, newcomer = meet("Ann"), meet(), meet("Newcomer")
    for device in (phone, newcomer):
        claimed = device.ok("POST", "/handovers", {"code": code_of(ann)}, 201)
        assert (claimed["name"], "handle" in claimed, claimed["games"]) == ("Ann", False, 0)
        body = {"claim": claimed["claim"], "kind": "program"}
        assert device.ok("POST", "/handovers/session", body)["state"] == "waiting"


def code_of(caller: Caller) -> str:
    return str(caller.ok("POST", "/session/handover", {}, 201)["code"])
