"""Attacks on passkeys: answers that were heard before, foreign keys and sites, copies, stolen codes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.http.authenticator import SIGN_IN, Authenticator, add_passkey, at_host, challenge, enter
from tests.server.http.client import Caller, Meet, meeting
from tests.server.http.keeping import account, keep
from tests.server.running import Server

WRONG = (403, "wrong_passkey")
MAKE = "/account/passkeys"


def offers(caller: Caller, answer: dict[str, Any]) -> tuple[int, str]:
    """What becomes of an answer that must not sign in."""
    return caller.refused("POST", SIGN_IN, {"passkey": answer})


@pytest.fixture
def ann(meet: Meet) -> Caller:
    return meet("Ann")


@pytest.fixture
def passkey(ann: Caller) -> Authenticator:
    """A passkey of Ann, who has kept her account; it counts its uses."""
    keep(ann)
    return add_passkey(ann, counter=1)


def test_an_answer_is_good_for_one_sign_in(meet: Meet, passkey: Authenticator) -> None:
    phone, thief = meet(), meet()
    heard = passkey.sign(challenge(phone))
    phone.ok("POST", SIGN_IN, {"passkey": heard}, 201)

    at_host(thief)
    assert offers(thief, heard) == WRONG
    assert offers(thief, passkey.sign({"challenge": "A" * 43})) == WRONG  # of the thief's own making


def test_a_refused_answer_uses_its_challenge_up(meet: Meet, passkey: Authenticator) -> None:
    thief = meet()
    options = challenge(thief)
    answer = passkey.sign(options)
    broken = {**answer, "response": {**answer["response"], "signature": "AAAA"}}

    assert offers(thief, broken) == WRONG
    assert offers(thief, answer) == WRONG


def test_a_challenge_for_a_new_passkey_signs_no_one_in_and_the_reverse(
    ann: Caller, meet: Meet, passkey: Authenticator
) -> None:
    thief = meet()
    for_a_new_one = ann.ok("POST", f"{MAKE}/options")["options"]
    at_host(thief)
    assert offers(thief, passkey.sign(for_a_new_one)) == WRONG

    other = Authenticator(passkey.origin)
    made = other.make({**for_a_new_one, "challenge": challenge(thief)["challenge"]})
    assert ann.refused("POST", MAKE, made) == WRONG


def test_no_one_adds_a_passkey_with_the_challenge_of_another_person(ann: Caller, meet: Meet) -> None:
    keep(ann)
    eve = meet("Eve")
    keep(eve)
    made = Authenticator(at_host(eve)).make(eve.ok("POST", f"{MAKE}/options")["options"])
    at_host(ann)

    assert ann.refused("POST", MAKE, made) == WRONG
    assert eve.ok("POST", MAKE, made, 201)


def test_the_passkey_of_another_person_opens_only_their_account(
    meet: Meet, ann: Caller, passkey: Authenticator
) -> None:
    eve = meet("Eve")
    keep(eve)
    own = add_passkey(eve)
    thief = meet()

    own.user = passkey.user  # says that it is Ann's
    assert offers(thief, own.sign(challenge(thief))) == WRONG
    own.credential = passkey.credential  # and her passkey, but with Eve's key
    assert offers(thief, own.sign(challenge(thief))) == WRONG
    stolen = Authenticator(passkey.origin, credential=passkey.credential)
    made = stolen.make(eve.ok("POST", f"{MAKE}/options")["options"])
    assert eve.refused("POST", MAKE, made) == WRONG  # a credential has one owner
    assert ann.person == enter(meet(), passkey)["person"]


@pytest.mark.parametrize(
    "differs",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://localhost"},
        {"host": "evil.example"},
        {"host": "127.0.0.1"},
        {"verified": False},
    ],
)
def test_another_site_or_an_absent_person_makes_and_uses_no_passkey(
    ann: Caller, meet: Meet, passkey: Authenticator, differs: dict[str, Any]
) -> None:
    options = ann.ok("POST", f"{MAKE}/options")["options"]
    made = Authenticator(**{"origin": passkey.origin, **differs}).make(options)
    assert ann.refused("POST", MAKE, made) == WRONG

    thief = meet()
    for name, value in differs.items():
        setattr(passkey, name, value)
    assert offers(thief, passkey.sign(challenge(thief))) == WRONG


def test_a_page_of_another_site_asks_for_no_passkey(meet: Meet, ann: Caller, passkey: Authenticator) -> None:
    victim = meet()
    answer = {"passkey": passkey.sign(challenge(victim))}
    for path, body in ((f"{SIGN_IN}/options", None), (SIGN_IN, answer)):
        assert victim.refused("POST", path, body, Origin="https://evil.example") == (403, "wrong_origin")
    assert ann.refused("POST", f"{MAKE}/options", Origin="https://evil.example") == (403, "wrong_origin")


@pytest.mark.parametrize("counter", [1, 2, 0])
def test_a_copy_that_counts_less_is_refused(meet: Meet, passkey: Authenticator, counter: int) -> None:
    for _ in range(2):
        enter(meet(), passkey)
    assert passkey.counter == 3
    copy = Authenticator(
        passkey.origin, counter=counter, user=passkey.user, credential=passkey.credential, key=passkey.key
    )
    thief = meet()
    answer = copy.sign(challenge(thief))

    assert offers(thief, answer) == WRONG
    enter(meet(), passkey)


def test_no_one_removes_a_passkey_of_another_person(ann: Caller, meet: Meet, passkey: Authenticator) -> None:
    eve = meet("Eve")
    keep(eve)
    (listed,) = account(ann)["passkeys"]

    assert eve.refused("DELETE", f"{MAKE}/{listed['id']}") == (404, "not_there")


@pytest.mark.parametrize("broken", ["", "AAAA", "%", "e30", "bnVsbA"])
def test_malformed_answers_are_refused(ann: Caller, meet: Meet, passkey: Authenticator, broken: str) -> None:
    thief = meet()
    for name in ("clientDataJSON", "authenticatorData", "signature", "userHandle"):
        answer = passkey.sign(challenge(thief))
        answer["response"][name] = broken
        assert offers(thief, answer) == WRONG, name
    for name in ("clientDataJSON", "attestationObject"):
        made = Authenticator(passkey.origin).make(ann.ok("POST", f"{MAKE}/options")["options"])
        made["response"][name] = broken
        assert ann.refused("POST", MAKE, made) == WRONG, name


def test_challenges_are_limited_by_address(tmp_path_factory: pytest.TempPathFactory) -> None:
    running = Server(tmp_path_factory.mktemp("challenges") / "data", FACEDOWN_PEOPLE="3").start()
    with meeting(running.base) as meet:
        caller = meet()
        for _ in range(3):
            challenge(caller)
        refused = caller.refused("POST", f"{SIGN_IN}/options")
    running.close()

    assert refused == (429, "too_many")
