"""The memories of bots about a person, as that person's own file: plain JSON, to look at and to erase.

One list of notes for each machine of each game. Nothing else outlasts a game.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from facedown.core.errors import Unreadable
from facedown.core.parts.bot import Memory
from facedown.core.views import Plain
from facedown.files import UnreadableFile, reason, writing

_FORMAT: Final = "facedown/memory/1"


class UnreadableMemory(Unreadable):
    """A file that holds no memory of ours."""

    code = "unreadable_memory"


class Memories:
    """The memories of all machines that a person has let remember them.

    >>> memories = Memories()
    >>> memories.of("goofspiel", "reader").add({"rounds": 12})
    >>> Memories.read(memories.write()).notes()
    {'goofspiel/reader': [{'rounds': 12}]}
    """

    def __init__(self) -> None:
        self._known: dict[str, Memory] = {}

    @classmethod
    def read(cls, text: str) -> Memories:
        """From the text of a file; raises `UnreadableMemory`."""
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError):
            raise UnreadableMemory("this is not a memory: not JSON") from None
        notes = whole.get("notes") if isinstance(whole, dict) and whole.get("format") == _FORMAT else None
        if not isinstance(notes, dict) or not all(isinstance(each, list) for each in notes.values()):
            raise UnreadableMemory(f"this is not a memory: its format is not {_FORMAT!r}, or it has no notes")
        memories = cls()
        memories._known = {name: Memory(each) for name, each in notes.items()}
        return memories

    def write(self) -> str:
        """As the text of a file: one line for each note, for people to read."""
        return json.dumps({"format": _FORMAT, "notes": self.notes()}, ensure_ascii=False, indent=1) + "\n"

    def of(self, game: str, bot: str) -> Memory:
        return self._known.setdefault(f"{game}/{bot}", Memory())

    def notes(self) -> dict[str, list[Plain]]:
        return {name: list(memory) for name, memory in self._known.items() if len(memory)}


def read_memories(path: str) -> Memories:
    """The memories of a file; empty where it does not exist yet. Raises `UnreadableFile`."""
    try:
        return Memories.read(Path(path).read_text(encoding="utf-8", errors="replace"))
    except FileNotFoundError:
        return Memories()
    except OSError as error:
        raise UnreadableFile(f"cannot read {path}: {reason(error)}", text=path) from None


def write_memories(path: str, memories: Memories) -> None:
    """Write the memories into a file, whole or not at all; raises `UnwritableFile`."""
    with writing(path) as file:
        file.write(memories.write())
