"""The checkpoint file of an arena run: written chunk by chunk, so that it can be interrupted and resumed.

One JSON line says what is played, each further line is a finished chunk. A last line that was cut off is
forgotten: that chunk is played again.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from facedown.core.errors import Unreadable
from facedown.sim.arena import Arena, Played
from facedown.sim.statistics import Bout


class OtherRun(Unreadable):
    """The file belongs to another run."""

    code = "other_run"


ChunkWriter: TypeAlias = Callable[[Played], None]
"""Where finished chunks go."""


@contextmanager
def checkpoint(path: Path | None, arena: Arena) -> Iterator[tuple[list[Played], ChunkWriter]]:
    """The chunks that the file already holds, and where to put further ones; nowhere without a path."""
    if path is None:
        yield [], lambda chunk: None
        return
    done, length = _read(path, arena)
    with path.open("r+b" if length else "wb") as file:
        file.truncate(length)
        file.seek(length)
        if not length:
            file.write(_line(arena.as_json()))

        def write(chunk: Played) -> None:
            file.write(_line(_chunk_json(chunk)))
            file.flush()

        yield done, write
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path, arena: Arena) -> tuple[list[Played], int]:
    """The finished chunks of a file, and how many of its bytes are whole lines of this run."""
    if not path.exists() or not path.stat().st_size:
        return [], 0
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    if not lines[-1].endswith(b"\n"):
        lines.pop()
    if not lines or _parse(lines[0]) != arena.as_json():
        say = f"{path} holds another run: name another file, or ask for what it was begun with"
        raise OtherRun(say, text=str(path))
    done: list[Played] = []
    for number, line in enumerate(lines[1:], 2):
        try:
            done.append(_chunk(arena, _parse(line)))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise OtherRun(f"line {number} of {path} is not a finished chunk", text=str(path)) from None
    return done, sum(map(len, lines))


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _chunk_json(chunk: Played) -> dict[str, Any]:
    return {
        "chunk": chunk.number,
        "games": chunk.bout.games,
        "wins": chunk.bout.wins,
        "draws": chunk.bout.draws,
        "faults": dict(chunk.bout.faults),
        "first_faults": chunk.bout.first_faults,
        "rated": [[list(names), winner] for names, winner in chunk.rated],
    }


def _chunk(arena: Arena, data: Any) -> Played:
    hero, others = arena.pairings[data["chunk"] % len(arena.pairings)]
    first = {fault: (game, decision) for fault, (game, decision) in data["first_faults"].items()}
    bout = Bout(arena.seats, data["games"], data["wins"], data["draws"], Counter(data["faults"]), first)
    rated = tuple((tuple(names), winner) for names, winner in data["rated"])
    return Played(data["chunk"], hero, others, bout, rated)
