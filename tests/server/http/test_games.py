from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from facedown.core import registry
from tests.server.http.client import Caller
from tests.server.running import Server, until


def test_games_with_everything_that_a_screen_needs(stranger: Caller) -> None:
    games = stranger.ok("GET", "/games")

    assert [game["name"] for game in games] == list(registry.names())
    for game in games:
        assert game["usual_machine"] in [machine["name"] for machine in game["machines"]]
        kinds = {option["kind"] for option in game["options"]}
        assert kinds <= {"choice", "number", "switch"}
        for preset in game["presets"]:
            rules = registry.get(game["name"]).rules.read(preset["rules"])
            assert str(rules) == preset["rules"]
            assert set(preset["values"]) == {option["name"] for option in game["options"]}


def test_the_list_of_games_is_not_sent_twice(stranger: Caller) -> None:
    tag = stranger.ask("GET", "/games").headers["etag"]

    again = stranger.ask("GET", "/games", If_None_Match=tag)

    assert (again.status_code, again.content) == (304, b"")


def test_a_rule_set_is_read_and_explained(stranger: Caller) -> None:
    found = stranger.ok("GET", "/games/ecard/rules?rules=classic( )")

    assert found["rules"] == "classic"
    assert found["problems"] == []
    assert found["sentences"]["E1"]
    assert found["page"].startswith("# E-Card")


def test_all_problems_of_a_rule_set_at_once(stranger: Caller) -> None:
    found = stranger.ok("GET", "/games/ecard/rules?rules=nonsense(tie=never,colour=red)")

    assert found["rules"] == ""
    assert len(found["problems"]) == 3


def test_there_is_no_such_game(stranger: Caller) -> None:
    assert stranger.refused("GET", "/games/chess/rules") == (404, "unknown_game")
    assert stranger.refused("GET", "/games/chess/verdict") == (404, "unknown_game")


def test_the_verdict_is_the_solvers(stranger: Caller) -> None:
    verdict = stranger.ok("GET", "/games/ecard/verdict?rules=classic")

    assert verdict["rules"] == "classic"
    assert verdict["value"] == pytest.approx(0.444477, abs=1e-6)
    assert verdict["tie"] == pytest.approx(0.117634, abs=1e-6)
    assert verdict["favoured"] == {"seat": 2}
    assert any("55.55 %" in sentence for sentence in verdict["sentences"])


@pytest.mark.parametrize("rules", ["decisive", "purse(purse=5)"])
def test_the_verdict_names_a_role_if_the_deal_decides_whose_it_is(stranger: Caller, rules: str) -> None:
    assert stranger.ok("GET", f"/games/ecard/verdict?rules={rules}")["favoured"] == {"role": "first_slave"}


def test_a_game_that_is_not_solved_says_so(stranger: Caller) -> None:
    verdict = stranger.ok("GET", "/games/davenport/verdict")
    assert (verdict["value"], len(verdict["sentences"])) == (None, 1)
    assert stranger.refused("GET", "/games/ecard/verdict?rules=nonsense") == (400, "unreadable_rules")


def test_the_server_answers_others_while_a_verdict_is_worked_out(
    server: Server, stranger: Caller, ann: Caller
) -> None:
    idle = set(server.analyses)
    with ThreadPoolExecutor(1) as beside:
        asked = beside.submit(stranger.refused, "GET", "/games/ecard/verdict?rules=purse")
        until(lambda: set(server.analyses) - idle)
        (process,) = set(server.analyses) - idle
        os.kill(process, signal.SIGSTOP)  # it takes as long as we like
        for _ in range(4):
            ann.ok("GET", "/session")
        assert not asked.done()
        os.kill(process, signal.SIGKILL)

    assert asked.result() == (503, "study_failed")
