"""Cases of moderation: reports, decisions, sanctions, answers, moderators and the audit list."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from facedown.core.chance import entropy_commitment
from tests.server.http.client import ENTROPY, Caller, Meet, meeting, sit_down
from tests.server.http.keeping import keep
from tests.server.http.test_tournaments import ALL, wish
from tests.server.running import Server


def operator_of(server: Server, meet: Meet) -> Caller:
    """The operator at the command line."""
    caller = meet()
    caller.token = json.loads((server.data / "server.json").read_text())["token"]
    caller.http.headers["Authorization"] = f"Bearer {caller.token}"
    return caller


def moderator_of(operator: Caller, meet: Meet, name: str) -> Caller:
    """A browser of a person with a kept account, whom the operator has named a moderator."""
    caller = meet(name, kind="browser")
    keep(caller)
    operator.ok("PUT", f"/admin/moderators/{caller.person}", status=204)
    return caller


def insult(meet: Meet, *, words: str = "an insult") -> tuple[Caller, Caller, str]:
    """Someone who was rude, who reported it, and the table."""
    ann, rude = meet("Ann"), meet("Rude")
    table = sit_down(ann, rude)
    v = rude.do(table, "say", text=words)["v"]
    ann.ok("POST", "/reports", {"table": table, "about": "words", "message": v, "why": "it hurts"}, 204)
    return rude, ann, table


def case_of(judge: Caller, person: Caller, state: str = "open") -> Any:
    found = judge.ok("GET", f"/admin/cases?state={state}")["cases"]
    return next(each["case"] for each in found if each["case"]["person"] == person.person)


def decide(judge: Caller, case: int, sanction: str, *, days: int = 7, why: str = "be kind") -> Any:
    body = {"sanction": sanction, "days": days, "why": why}
    return judge.ok("POST", f"/admin/cases/{case}", body)


def test_a_report_becomes_a_case_that_is_decided_answered_and_lifted(server: Server, meet: Meet) -> None:
    operator = operator_of(server, meet)
    one, two = (moderator_of(operator, meet, name) for name in ("One", "Two"))
    rude, ann, table = insult(meet)
    case = case_of(one, rude)["id"]

    assert one.refused("POST", f"/admin/cases/{case}", {"sanction": "no_chat"})[1] == "bad_message", (
        "a decision has a reason"
    )
    shown = decide(one, case, "no_chat")

    assert (shown["case"]["state"], shown["why"]) == ("decided", "be kind")
    (reported,) = shown["reports"]
    assert (reported["table"], reported["text"], reported["why"]) == (table, "an insult", "it hurts")
    assert reported["v"] > 0
    (own,) = rude.ok("GET", "/people/me/cases")["cases"]
    assert (own["sanction"], own["why"], own["may_answer"]) == ("no_chat", "be kind", True)
    assert own["words"] == [{"about": "words", "table": table, "v": reported["v"], "text": "an insult"}]
    assert ann.person not in json.dumps(own)
    say = {"id": "again", "do": "say", "text": "hello"}
    assert rude.refused("POST", f"/tables/{table}/commands", say) == (403, "restricted")
    ann.do(table, "say", text="I may")

    answer = f"/people/me/cases/{case}/answer"
    rude.ok("POST", answer, {"text": "it was a quotation"}, 204)
    assert rude.refused("POST", answer, {"text": "and one more"}) == (409, "not_now")
    lift = {"why": "so it was"}
    assert one.refused("POST", f"/admin/cases/{case}", lift) == (403, "no_judge")
    assert case_of(two, rude, "answered")["id"] == case
    two.ok("POST", f"/admin/cases/{case}", lift)

    rude.do(table, "say", text="thank you")
    (own,) = rude.ok("GET", "/people/me/cases")["cases"]
    assert (own["state"], own["sanction"], own["why"]) == ("lifted", "none", "so it was")
    exported = rude.ok("GET", "/people/me/data")
    assert exported["decisions"][0]["answer"] == "it was a quotation"
    acts = operator.ok("GET", "/admin/audit")["entries"]
    did = [
        (each["action"], each["detail"], each["outcome"])
        for each in reversed(acts)
        if each["by"] == one.person
    ]
    assert ("decide_case", f"{case}, sanction no_chat, days 7", "done") in did
    assert ("decide_case", f"{case}, sanction none", "no_judge") in did


def test_a_dismissed_case_is_not_shown_to_its_person(server: Server, meet: Meet) -> None:
    operator = operator_of(server, meet)
    rude, _, _ = insult(meet)
    case = case_of(operator, rude)["id"]

    operator.ok("POST", f"/admin/cases/{case}", {})

    assert rude.ok("GET", "/people/me/cases")["cases"] == []
    assert case_of(operator, rude, "closed")["sanction"] == ""


def test_a_sanction_is_in_the_notices_and_the_session_of_its_person(server: Server, meet: Meet) -> None:
    """From the decision to its end, and that it was lifted; for who is closed out as well."""
    operator = operator_of(server, meet)

    def of(person: Caller) -> tuple[list[Any], list[Any]]:
        notices = person.ok("GET", "/notices")["notices"]
        decided = [each for each in notices if each["kind"] in ("decided", "lifted")]
        return decided, person.ok("GET", "/session").get("sanctions", [])

    for sanction, until in (("warning", False), ("no_chat", True), ("no_pairing", True), ("closed", True)):
        rude, _, table = insult(meet)
        assert of(rude) == ([], [])
        case = case_of(operator, rude)["id"]
        decide(operator, case, sanction)
        [notice], in_force = of(rude)
        assert (notice["kind"], notice["sanction"], notice["unread"]) == ("decided", sanction, True)
        assert bool(notice["until"]) is until
        expected = [{"kind": sanction, "until": notice["until"]}] if until else []
        assert in_force == expected
        if sanction == "no_chat":
            say = {"id": "again", "do": "say", "text": "hello"}
            refused = rude.ask("POST", f"/tables/{table}/commands", say).json()
            assert " until 20" in refused["detail"]
        rude.ok("PUT", "/notices/read", {"at": notice["at"]}, 204)
        assert not of(rude)[0][0]["unread"]

        operator.ok("POST", f"/admin/cases/{case}", {"why": "so it was"})
        [notice], in_force = of(rude)
        assert (notice["kind"], notice["unread"], in_force) == ("lifted", True, [])


def test_what_each_sanction_keeps_a_person_from(server: Server, meet: Meet) -> None:
    operator = operator_of(server, meet)
    rude, _, table = insult(meet)
    ticket = {"game": "ecard", "rules": "", "clock": {"kind": "decision", "seconds": 30}}
    case = case_of(operator, rude)["id"]
    decide(operator, case, "no_pairing")
    assert rude.refused("PUT", "/pairing/ticket", ticket) == (403, "restricted")
    host = meet("Host")
    keep(host)
    arena = host.ok("POST", ALL, wish(), 201)["head"]["tournament"]
    assert rude.refused("PUT", f"{ALL}/{arena}/entry", {}) == (403, "restricted")
    rude.do(table, "say", text="I may talk")
    public = host.make(public=True)["table"]
    joining = {"seat": 1, "commit": entropy_commitment(public, 1, ENTROPY).hex()}
    assert rude.refused("POST", f"/tables/{public}/join", joining) == (403, "restricted")
    rude.join(rude.make(public=True)["table"], 1)

    stranger, _, _ = insult(meet)
    decide(operator, case_of(operator, stranger)["id"], "closed", days=0)

    assert stranger.refused("POST", "/tables", {"game": "ecard", "seats": []}) == (403, "account_closed")
    assert stranger.refused("GET", "/people/me/relations") == (403, "account_closed")
    (own,) = stranger.ok("GET", "/people/me/cases")["cases"]
    assert (own["sanction"], own["until"]) == ("closed", 0)
    stranger.ok("GET", "/people/me/data")
    stranger.ok("DELETE", "/people/me", status=204)


def test_words_that_an_operator_does_not_allow(tmp_path: Path) -> None:
    (tmp_path / "de.txt").write_text("# mild ones\nBlödmann\n")
    server = Server(tmp_path / "data", FACEDOWN_CHAT_WORDS=str(tmp_path / "de.txt")).start()
    with closing(server), meeting(server.base) as meet:
        ann, bob = meet("Ann"), meet("Bob")
        table = sit_down(ann, bob)

        said = {"id": "a", "do": "say", "text": "Du BLÖDMANN!"}
        refused = bob.refused("POST", f"/tables/{table}/commands", said)

        assert refused == (403, "word_not_allowed")
        bob.do(table, "say", text="blödmannig")


def test_a_moderator_is_not_erased(server: Server, meet: Meet) -> None:
    operator = operator_of(server, meet)
    person = moderator_of(operator, meet, "Kept")
    found = operator.ok("GET", "/admin/people?moderators=true")["people"]
    assert person.person in [each["person"] for each in found]
    assert all(each["moderates"] for each in found)

    assert person.refused("DELETE", "/people/me") == (409, "not_now")
    assert operator.refused("DELETE", f"/admin/people/{person.person}") == (409, "not_now")

    operator.ok("DELETE", f"/admin/moderators/{person.person}", status=204)
    assert person.refused("GET", "/admin/cases") == (403, "operators_only")
    person.ok("DELETE", "/people/me", status=204)


def test_a_decision_stands_once_its_answer_was_read(server: Server, meet: Meet) -> None:
    operator = operator_of(server, meet)
    rude, _, _ = insult(meet)
    case = case_of(operator, rude)["id"]
    decide(operator, case, "no_chat")
    assert (
        operator.refused("POST", f"/admin/cases/{case}", {"sanction": "closed", "why": "more"})[1]
        == "not_now"
    )
    rude.ok("POST", f"/people/me/cases/{case}/answer", {"text": "I am sorry"}, 204)

    decide(operator, case, "no_chat", days=1)

    (own,) = rude.ok("GET", "/people/me/cases")["cases"]
    assert (own["state"], own["sanction"], own["may_answer"]) == ("closed", "no_chat", False)
    operator.ok("POST", f"/admin/cases/{case}", {})
    assert operator.refused("POST", f"/admin/cases/{case}", {})[1] == "not_now", "nothing is left to lift"
