"""`facedown memory`: what the machines have noted about you, and a way to make them forget it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from facedown.bots.memories import Memories
from facedown.cli import DONE
from facedown.core.text.english import counted
from facedown.files import UnreadableFile, reason, writing


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


def read_memories(path: str, *, must_exist: bool = False) -> Memories:
    """The memories of a file; none where it is not there yet."""
    try:
        return Memories.read(Path(path).read_text(encoding="utf-8", errors="replace"))
    except FileNotFoundError:
        if must_exist:
            raise UnreadableFile(f"cannot read {path}: no such file or directory", text=path) from None
        return Memories()
    except OSError as error:
        raise UnreadableFile(f"cannot read {path}: {reason(error)}", text=path) from None


def write_memories(path: str, memories: Memories) -> None:
    """Write them, whole or not at all."""
    with writing(path) as file:
        file.write(memories.write())
