"""What machines remember of a person: a file of plain JSON, whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from facedown.bots.memories import Memories, UnreadableMemory, read_memories, write_memories
from facedown.files import UnreadableFile


def test_memories_outlast_a_game_in_a_file(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.json")
    memories = read_memories(path)
    memories.of("ecard", "reader").add({"rounds": [1, 2]})
    memories.of("ecard", "habit")

    write_memories(path, memories)

    assert read_memories(path).notes() == {"ecard/reader": [{"rounds": [1, 2]}]}
    assert list(read_memories(path).of("ecard", "reader")) == [{"rounds": [1, 2]}]
    assert json.loads(Path(path).read_text(encoding="utf-8"))["format"] == "facedown/memory/1"


def test_what_is_erased_is_gone(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.json")
    memories = Memories()
    memories.of("ecard", "reader").add("note")
    memories.of("ecard", "reader").erase()

    write_memories(path, memories)

    assert read_memories(path).notes() == {}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        "[" * 100_000,
        '{"format": "facedown/memory/2", "notes": {}}',
        '{"format": "facedown/memory/1"}',
        '{"format": "facedown/memory/1", "notes": {"ecard/reader": 1}}',
    ],
)
def test_a_file_that_holds_no_memory_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "memory.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(UnreadableMemory):
        read_memories(str(path))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"cannot read .*"):
        read_memories(str(tmp_path))
