"""The checkpoint file of an arena run: written batch by batch, so that it can be interrupted and resumed.

One JSON line says what is played, each further line is a finished batch. A last line that was cut off is
forgotten: that batch is played again.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from facedown.core.errors import Unreadable
from facedown.sim.arena import Arena, Played
from facedown.sim.statistics import Bout


class OtherRun(Unreadable):
    """The file belongs to another run."""

    code = "other_run"


class Writes(Protocol):
    """Where finished batches go."""

    def __call__(self, batch: Played) -> None: ...


@contextmanager
def checkpoint(path: Path | None, arena: Arena) -> Iterator[tuple[list[Played], Writes]]:
    """The batches that the file already holds, and where to put further ones; nowhere without a path."""
    if path is None:
        yield [], _nowhere
        return
    done, length = _read(path, arena)
    with path.open("r+b" if length else "wb") as file:
        file.truncate(length)
        file.seek(length)
        if not length:
            file.write(_line(_head(arena)))

        def write(batch: Played) -> None:
            file.write(_line(_batch_json(batch)))
            file.flush()

        yield done, write
        file.flush()
        os.fsync(file.fileno())


def _nowhere(batch: Played) -> None:
    pass


def _read(path: Path, arena: Arena) -> tuple[list[Played], int]:
    """The finished batches of a file, and how many of its bytes are whole lines of this run."""
    if not path.exists() or not path.stat().st_size:
        return [], 0
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    if not lines[-1].endswith(b"\n"):
        lines.pop()
    if not lines or _parse(lines[0]) != _head(arena):
        say = f"{path} holds another run: name another file, or ask for what it was begun with"
        raise OtherRun(say, text=str(path))
    done: list[Played] = []
    for number, line in enumerate(lines[1:], 2):
        try:
            done.append(_batch(arena, _parse(line)))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise OtherRun(f"line {number} of {path} is not a finished batch", text=str(path)) from None
    return done, sum(map(len, lines))


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _head(arena: Arena) -> dict[str, Any]:
    rounding = {"rounding": list(arena.engine.rounding)} if arena.engine.rounding else {}
    heroes = {"heroes": list(arena.heroes)} if arena.heroes else {}
    return {
        **rounding,
        **heroes,
        "arena": "facedown/1",
        "game": arena.game,
        "rules": arena.rules,
        "seats": arena.seats,
        "seed": arena.seed.hex(),
        "bots": list(arena.bots),
        "games": arena.games,
        "memory": arena.memory,
    }


def _batch_json(batch: Played) -> dict[str, Any]:
    return {
        "batch": batch.number,
        "games": batch.bout.games,
        "wins": batch.bout.wins,
        "draws": batch.bout.draws,
        "faults": dict(batch.bout.faults),
        "first_faults": batch.bout.first_faults,
        "rated": [[list(names), winner] for names, winner in batch.rated],
    }


def _batch(arena: Arena, data: Any) -> Played:
    hero, others = arena.pairings[data["batch"] % len(arena.pairings)]
    first = {fault: (game, decision) for fault, (game, decision) in data.get("first_faults", {}).items()}
    bout = Bout(arena.seats, data["games"], data["wins"], data["draws"], Counter(data["faults"]), first)
    rated = tuple((tuple(names), winner) for names, winner in data["rated"])
    return Played(data["batch"], hero, others, bout, rated)
