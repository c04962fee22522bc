"""`facedown memory`: what the machines have noted about you, and a way to make them forget it."""

from __future__ import annotations

import argparse
import json

from facedown.bots.memories import Memories, read_memories, write_memories
from facedown.cli import DONE
from facedown.core.text.english import counted


def run(arguments: argparse.Namespace) -> int:
    """Show the notes of a file, or erase them."""
    memories = read_memories(arguments.file, must_exist=True)
    if arguments.erase:
        write_memories(arguments.file, Memories())
        print(f"Erased: {arguments.file} holds no notes now.")
        return DONE
    notes = memories.notes()
    if arguments.json:
        print(json.dumps(notes, ensure_ascii=False))
        return DONE
    if not notes:
        print("No machine remembers anything.")
    for name, each in notes.items():
        print(f"{name} remembers {counted(len(each), 'game')}:")
        for note in each:
            print(f"  {json.dumps(note, ensure_ascii=False)}")
    return DONE
