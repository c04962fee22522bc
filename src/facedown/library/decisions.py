"""The decisions of recorded games as rows of a table: one row for each pick of a seat, for data tools.

Owns the columns and the file format, CSV.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import PurePath
from typing import Final, TypeAlias

from facedown.core.errors import Unsupported
from facedown.core.game import RESIGN
from facedown.core.record import Record
from facedown.core.replay import start, turns
from facedown.core.views import Plain
from facedown.files import writing
from facedown.library.arguments import BadArgument, encoding_of
from facedown.library.record_files import RecordLike, each_record

Row: TypeAlias = "dict[str, str | int | float | None]"
"""The decision of one seat, by column; None for an empty cell."""

_RESULT: Final = ("game_winner", "game_ended", "payoff", "points")


def decisions(records: RecordLike | Iterable[RecordLike], *, encoding: bool = False) -> Iterator[Row]:
    """One row for each decision of a seat, in order: who picked what, from what, and how the game ended.

    `records` are records, files, folders or matches, or many of them, such as the result of `play_many`: all
    of one game. With `encoding`, the view in which the seat picked is added as numbers, a column for each
    entry; then all must have the same entries. The page for researchers lists the columns.

    >>> import facedown
    >>> games = facedown.play_many("ecard", ["sage", "uniform"], "decisive", games=2, seed=1)
    >>> row = next(facedown.decisions(games))
    >>> row["name"], row["pick"], row["legal"], row["round"], row["play"]
    ('sage', 'S', 'C S', 1, 1)
    """
    return _rows(each_record(records), encoding)


def _rows(records: Iterable[Record], encoding: bool) -> Iterator[Row]:
    columns: list[str] = []
    for number, record in enumerate(records, 1):
        for row in record_rows(record, number, encoding):
            if columns and list(row) != columns:
                raise Unsupported(
                    f"record {number} does not go with those before it: one table holds records of one game "
                    "and, with `encoding`, with the same entries"
                )
            columns = columns or list(row)
            yield row


def record_rows(record: Record, number: int, encoding: bool) -> list[Row]:
    """The rows of one record, which is the `number`-th."""
    match = start(record)
    game, seats = match.game, len(record.seats)
    layout = encoding_of(game, match.rules, seats) if encoding else None
    rows: list[Row] = []
    of_seats: list[int] = []
    for decision, turn in enumerate(turns(record, match), 1):
        details = {name: _cell(value) for name, value in game.decision_json(*turn).items()}
        joint = " ".join("-" if pick is None else pick for pick in turn.joint)
        for seat, pick in enumerate(turn.joint, 1):
            if pick is None:
                continue
            row: Row = {
                "record": number,
                "id": record.id,
                "game": record.game,
                "version": record.version,
                "rules": record.rules,
                "seats": seats,
                "decision": decision,
                "seat": seat,
                "name": record.seats[seat - 1],
                "pick": pick,
                "legal": " ".join(game.legal(turn.before, seat)) if pick != RESIGN else "",
                "picks": joint,
                **dict.fromkeys(_RESULT),
            }
            row |= {name: value for name, value in details.items() if name not in row}
            if layout is not None:
                numbers = game.encode(game.view(turn.before, seat))
                row |= {
                    f"view.{name}": float(entry) for name, entry in zip(layout.names, numbers, strict=True)
                }
            rows.append(row)
            of_seats.append(seat)
    outcome = match.outcome
    if outcome is not None:
        for row, seat in zip(rows, of_seats, strict=True):
            row["game_winner"] = outcome.winner
            row["game_ended"] = outcome.termination
            row["payoff"] = outcome.payoffs[seat - 1]
            row["points"] = 0.5 if outcome.winner is None else float(outcome.winner == seat)
    return rows


def _cell(value: Plain) -> str | int | None:
    """A value in one cell: lists as words with spaces between them."""
    if isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, str | int):
        return value
    parts = value.values() if isinstance(value, dict) else value
    return " ".join("-" if part is None else str(_cell(part)) for part in parts)


# --- files -----------------------------------------------------------------------------------------------


def is_table_file(path: str | PurePath) -> bool:
    """Whether a file with this name holds rows, not records."""
    return PurePath(path).suffix.lower() == ".csv"


def write_rows(rows: Iterator[Row], path: str) -> int:
    """Write the rows to a `.csv` file, whole or not at all; how many there were."""
    if not is_table_file(path) and not path.startswith("/dev/"):
        raise BadArgument(f"{path[:80]!r} must end in .csv", text=path[:200])
    first = next(rows, None)
    count = 0
    with writing(path) as file:
        if first is None:
            return 0
        writer = csv.DictWriter(file, list(first), lineterminator="\n")
        writer.writeheader()
        for row in chain([first], rows):
            writer.writerow({**row, "name": _as_text(row["name"])})
            count += 1
    return count


def _as_text(name: object) -> str:
    """A name that no spreadsheet takes for a formula: players choose their names."""
    text = str(name)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
