"""The mark of a data directory whose tables were moved to another store: no server starts on it by mistake.

The mark is a note in the database, so a backup of the directory has it too.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Final

from facedown.core.errors import FacedownError, Unsupported
from facedown.server.store.sqlite.data_dir import DATABASE, DataDirectory
from facedown.server.store.sqlite.schema import open_for_reading, open_for_writing

MOVED: Final = "moved_to"


class TablesMoved(FacedownError):
    """The tables of a data directory are kept in another store now."""

    code = "tables_moved"


def mark_moved(connection: sqlite3.Connection, target: str) -> None:
    """Note where the tables are kept from now on; the text holds no password."""
    insert = "insert or replace into notes (name, value) values (?, ?)"
    with connection:
        connection.execute(insert, (MOVED, target.encode()))


def move_target(source: Path) -> str:
    """Where the tables of a data directory, or of a backup file, were moved; empty if they were not."""
    database = source / DATABASE if source.is_dir() else source
    try:
        if not database.stat().st_size:
            return ""
        with contextlib.closing(open_for_reading(database)) as connection:
            found = connection.execute("select value from notes where name = ?", (MOVED,)).fetchone()
    except (OSError, sqlite3.Error):  # opening the store will raise the reason
        return ""
    return bytes(found[0]).decode("utf-8", "replace") if found else ""


def check_not_moved(folder: Path) -> None:
    """Raise `TablesMoved` if the tables of a data directory were moved."""
    if target := move_target(folder):
        raise TablesMoved(
            f"the tables of {folder} were moved to {target}: `facedown serve --store URL` serves them; "
            "--take-back serves the old ones again, as they were before the move",
            text=target,
        )


def take_back(folder: Path) -> None:
    """Remove the mark, so that servers start on the directory again; raises `Unsupported` if it has none."""
    if not move_target(folder):
        raise Unsupported(f"the tables of {folder} were not moved: leave --take-back out")
    directory = DataDirectory(folder)
    try:
        with contextlib.closing(open_for_writing(directory.database)) as connection:
            connection.execute("delete from notes where name = ?", (MOVED,))
    finally:
        directory.close()
