"""`facedown verify`: what holds, what cannot be checked, and the first thing that does not hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from facedown.core import registry
from tests.cli.command import failed_in_one_sentence
from tests.cli.conftest import Here
from tests.commands.recorded import finished_game, record_with, running_game

OF_GAMES = pytest.mark.parametrize("game", registry.names())


@OF_GAMES
def test_parts_that_a_record_lacks_cannot_be_checked(here: Here, tmp_path: Path, game: str) -> None:
    file = tmp_path / "running.json"
    file.write_text(running_game(game, 1).write())

    status, out, err = here("verify", str(file))

    assert (status, err) == (3, "")
    *checks, verdict = out.splitlines()
    assert [line.partition(":")[0] for line in checks] == ["✓ picks", "– result", "– links", "– deal"]
    assert verdict == "consistent, but not proven; missing: result, links, deal"


@OF_GAMES
def test_a_result_that_was_not_played_is_found(here: Here, tmp_path: Path, game: str) -> None:
    file = tmp_path / "record.json"
    record = finished_game(game)
    assert record.result is not None
    file.write_bytes(record_with(record, result={**record.result, "termination": "nonsense"}))

    ran = here("verify", str(file))

    assert failed_in_one_sentence(ran, "not_verified", 1)
    assert "termination" in ran.err
    assert ran.out.startswith("✓ picks: ")
    assert ran.out.endswith("\nfalse\n")


def test_a_deal_that_the_seed_does_not_give_is_found(here: Here) -> None:
    games = [name for name in registry.names() if finished_game(name).chance]
    assert games
    for game in games:
        ran = here("verify", "-", stdin=record_with(finished_game(game), seed="00" * 32))

        assert failed_in_one_sentence(ran, "not_verified", 1)
        assert "chance entry 1 " in ran.err


@OF_GAMES
def test_the_json_holds_the_same(here: Here, game: str) -> None:
    good = finished_game(game)
    text = good.write().encode() + b"\n" + record_with(good, result={"winner": "none"}) + b"\nnonsense\n"

    ran = here("verify", "--json", "-", stdin=text)

    assert ran.status == 1
    right, wrong, none = map(json.loads, ran.out.splitlines())
    assert (right["verdict"], right["missing"]) == ("consistent", ["links"])
    assert [finding["holds"] for finding in right["findings"]] == [True, True, None, True]
    assert (wrong["verdict"], wrong["error"]["code"], wrong["error"]["line"]) == ("false", "not_verified", 2)
    assert (none["verdict"], none["findings"], none["error"]["code"]) == (
        "unreadable",
        [],
        "unreadable_record",
    )


@OF_GAMES
def test_a_game_that_continues_another_needs_that_one(here: Here, tmp_path: Path, game: str) -> None:
    file = tmp_path / "record.json"
    file.write_text(finished_game(game).write())

    ran = here("verify", str(file), "--origin", str(file))
    assert failed_in_one_sentence(ran, "not_verified", 1)
    assert "goes on from no other game" in ran.err

    ran = here("verify", str(file), "--origin", str(tmp_path / "nowhere.json"))
    assert ran.status != 0
    assert "nowhere.json" in ran.err
