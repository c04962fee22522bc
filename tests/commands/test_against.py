"""`facedown play --against` and `--memory`: named machines, and what they may keep about a person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from facedown.bots.find import bots_of
from facedown.bots.memories import Memories, UnreadableMemory
from facedown.core import registry
from tests.cli.command import failed_in_one_sentence
from tests.cli.conftest import Here

CITIZENS = b"C\n" * 36
"""Everything typed in a game of `classic`: a Citizen can be placed at every play."""
EVERY_BOT = [(game, bot) for game in registry.names() for bot in bots_of(game)]


def test_a_game_against_a_machine_that_remembers(here: Here, tmp_path: Path) -> None:
    notes = tmp_path / "notes.json"
    for games in (1, 2):
        ran = here(
            "play", "ecard", "--against", "reader", "--memory", str(notes), "--seed", "a", stdin=CITIZENS
        )
        assert ran.status == 0
        found = json.loads(notes.read_text())["notes"]
        assert [list(found), len(found["ecard/reader"])] == [["ecard/reader"], games]


def test_without_a_memory_nothing_is_kept(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert here("play", "ecard", "--against", "sage", "--seed", "a", stdin=CITIZENS).status == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("game", "bot"), EVERY_BOT)
def test_every_machine_takes_the_seat_it_is_given(here: Here, game: str, bot: str) -> None:
    ran = here("play", game, "--against", bot, "--seed", "a", stdin=b"resign\nyes\n")
    assert ran.status == 0
    assert "resign" in ran.out.lower()


def test_machines_can_be_named_for_each_seat(here: Here) -> None:
    ran = here("play", "davenport", "--seats", "3", "--against", "careful, highest", stdin=b"quit\n")
    assert ran.status == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--against", "nosuch"], "unknown_bot"),
        (["--against", "random,random"], "usage"),
        (["--against", "random", "--hotseat"], "usage"),
        (["--memory", "x", "--hotseat"], "usage"),
        (["--against", ""], "unknown_bot"),
    ],
)
def test_machines_that_cannot_be_seated_are_refused(here: Here, arguments: list[str], code: str) -> None:
    assert failed_in_one_sentence(here("play", "ecard", *arguments), code)


def test_an_error_names_the_extra_that_a_machine_needs(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    part: Any = registry.part("davenport", "bots")
    monkeypatch.setattr(part, "BOTS", tuple(bot for bot in part.BOTS if bot.name != "expert"))

    refused = here("play", "davenport", "--against", "expert")
    assert failed_in_one_sentence(refused, "bot_needs_extra")
    assert "expert needs the extra `expert`: " in refused.err
    assert "expert       Not here: it needs the extra `expert`." in here("bots", "davenport").out


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[]", "{}", '{"format": "facedown/memory/1", "notes": {"a": 1}}']
)
def test_a_file_that_is_no_memory_is_refused_and_left_alone(here: Here, tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.json"
    file.write_text(text)
    assert failed_in_one_sentence(here("play", "ecard", "--memory", str(file)), "unreadable_memory")
    assert file.read_text() == text


def test_memories_survive_being_written() -> None:
    memories = Memories()
    for game in range(12):
        memories.of("ecard", "reader").add({"game": game})
    memories.of("ecard", "sage")
    again = Memories.read(memories.write())
    assert again.notes() == {"ecard/reader": [{"game": game} for game in range(2, 12)]}
    with pytest.raises(UnreadableMemory):
        Memories.read("{")
