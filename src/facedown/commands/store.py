"""The part of `facedown admin` that needs no server: check, copy and move its data."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path

from facedown.cli import DONE, FAILED
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra
from facedown.core.errors import Unsupported
from facedown.server.settings import Settings
from facedown.server.store import folder_of, is_postgresql
from facedown.server.store.sqlite.backup import backup, check
from facedown.server.store.sqlite.moved import move_target


def run(arguments: argparse.Namespace) -> int:
    """Copy the store of the settings, check it, or move it."""
    if arguments.do == "backup":
        return _back_up(arguments)
    if arguments.do == "move":
        return _move(arguments)
    if arguments.what:
        raise Usage("`admin check` takes nothing more; --store names another store")
    return _check(arguments)


def _back_up(arguments: argparse.Namespace) -> int:
    """Copy the data into one new SQLite file while the server runs, and check the copy."""
    if not arguments.what:
        raise Usage("where to? `facedown admin backup FILE` writes a new file")
    url = _url(arguments)
    if is_postgresql(url):
        raise Unsupported(
            "`backup` copies SQLite; a database of PostgreSQL is copied by its own tools, while servers run: "
            "pg_dump --format=custom --file=FILE URL"
        )
    target = Path(arguments.what).absolute()
    backup(folder_of(url), target)
    print(f"Written to {arguments.what}: {target.stat().st_size:,} bytes, and it is whole.")
    _print_move(target)
    return DONE


def _check(arguments: argparse.Namespace) -> int:
    url = _url(arguments)
    if is_postgresql(url):
        check_extra("a store on PostgreSQL needs", "postgresql", "asyncpg")
        from facedown.server.store.postgresql.check import check_postgresql

        problems = asyncio.run(check_postgresql(url))
    else:
        problems = check(folder_of(url))
        _print_move(folder_of(url))
    for problem in problems:
        print(problem)
    print("It is whole." if not problems else f"{len(problems)} problems.")
    return FAILED if problems else DONE


def _print_move(source: Path) -> None:
    if target := move_target(source):
        print(f"Its tables were moved to {target}: these are the old ones, as they were before.")


def _move(arguments: argparse.Namespace) -> int:
    if not arguments.what or not is_postgresql(arguments.what) or is_postgresql(_url(arguments)):
        raise Usage(
            "where to? `facedown admin move postgresql://USER@HOST/DATABASE` moves a data folder into an "
            "empty database"
        )
    check_extra("a store on PostgreSQL needs", "postgresql", "asyncpg")
    from facedown.server.store.postgresql.move import move

    source = folder_of(_url(arguments))
    without_password = str(Settings.read({"store": arguments.what}, {}).printable()["store"])
    counts = asyncio.run(move(source, arguments.what, without_password, _show))
    _show("")
    print(f"Moved and compared: {', '.join(f'{count} {name}' for name, count in counts.items() if count)}.")
    print(f"{source} is marked, and no server starts on it; from now on: facedown serve --store URL")
    return DONE


def _show(line: str) -> None:
    """Show the progress of something that takes long, in one line."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


def _url(arguments: argparse.Namespace) -> str:
    return Settings.read({"data": arguments.data, "store": arguments.store}, os.environ).store_url
