"""`facedown memory`: shows what the bots have noted about a person, or erases it."""

from __future__ import annotations

import argparse
import json

from facedown.bots.memories import Memories, read_memories, write_memories
from facedown.terminal.settings import chosen_language
from facedown.terminal.words import Words


def run(arguments: argparse.Namespace) -> None:
    """Show the notes of a file, or erase them."""
    words = Words(chosen_language(arguments.language))
    memories = read_memories(arguments.file, must_exist=True)
    if arguments.erase:
        write_memories(arguments.file, Memories())
        print(words("memory.erased", path=arguments.file))
        return
    notes = memories.notes()
    if arguments.json:
        print(json.dumps(notes, ensure_ascii=False))
        return
    if not notes:
        print(words("memory.none"))
    for name, each in notes.items():
        print(words("memory.games", name=name, count=len(each)))
        for note in each:
            print(f"  {json.dumps(note, ensure_ascii=False)}")
