"""`facedown store`, `backup` and `dump`: check a server's data, move it from SQLite to PostgreSQL, copy it,
compare versions of ratings, print and count again what people picked, give a month of games away."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from facedown.cli import DONE, FAILED
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra
from facedown.core.errors import Unsupported
from facedown.files import naming_errors
from facedown.server.settings import Settings
from facedown.server.store import cluster_urls, folder_of, is_postgresql
from facedown.server.store.sqlite.backup import backup, check
from facedown.server.store.sqlite.data_dir import DATABASE
from facedown.server.store.sqlite.moved import move_target

if TYPE_CHECKING:
    from facedown.server.accounts.open_data import Month


def run(arguments: argparse.Namespace) -> int:
    """Copy the store of the settings, check it, or move it."""
    if arguments.command == "backup":
        return _back_up(arguments)
    if arguments.command == "dump":
        return _dump(arguments)
    if arguments.do in ("ratings", "rate-again"):
        return asyncio.run(_ratings(arguments))
    if arguments.do in ("people", "count-again"):
        return asyncio.run(_people(arguments))
    return _check(arguments) if arguments.do == "check" else _move(arguments)


def _back_up(arguments: argparse.Namespace) -> int:
    """Copy the data into one new SQLite file while the server runs, and check the copy."""
    url = _url(arguments)
    if is_postgresql(url):
        raise Unsupported(
            "`backup` copies SQLite; a database of PostgreSQL is copied by its own tools, while servers run: "
            "pg_dump --format=custom --file=FILE URL"
        )
    target = Path(arguments.file).absolute()
    backup(folder_of(url), target)
    print(f"Written to {arguments.file}: {target.stat().st_size:,} bytes, and it is whole.")
    _print_move(target)
    return DONE


def _check(arguments: argparse.Namespace) -> int:
    if arguments.to:
        raise Usage("`store check` takes nothing more; --store names another store")
    url = _url(arguments)
    if is_postgresql(url):
        check_extra("a store on PostgreSQL needs", "postgresql", "asyncpg")
        from facedown.server.store.sharded.check import check_clusters

        problems = asyncio.run(check_clusters(cluster_urls(url)))
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
    if not arguments.to or not all(map(is_postgresql, arguments.to)):
        raise Usage("where to? `facedown store move postgresql://USER@HOST/DATABASE`, into an empty database")
    check_extra("a store on PostgreSQL needs", "postgresql", "asyncpg")
    targets = cluster_urls(" ".join(arguments.to))
    if is_postgresql(_url(arguments)):
        return _move_clusters(cluster_urls(_url(arguments)), targets)
    if len(targets) == 1:
        _move_folder(arguments, targets[0])
        return DONE
    if not asyncio.run(_has_moved(arguments, targets[0])):
        _move_folder(arguments, targets[0])
    return _move_clusters(targets[:1], targets)


async def _has_moved(arguments: argparse.Namespace, target: str) -> bool:
    """Whether a folder is in the first of several databases already: its division goes on."""
    from facedown.server.store.sharded.divide import is_dividing, is_moving

    is_marked = move_target(folder_of(_url(arguments))) == _without_password(target)
    return is_marked and (await is_dividing(target) or not await is_moving(target))


def _without_password(url: str) -> str:
    return str(Settings.read({"store": url}, {}).printable()["store"])


def _move_clusters(sources: list[str], targets: list[str]) -> int:
    """Move tables between layouts: all of them go into the first database, and are divided from there."""
    if sources[0] != targets[0]:
        raise Usage("the first database stays the first: it keeps everything but tables (pg_dump moves it)")
    if len(sources) > 1 and set(sources[1:]) & set(targets[1:]):
        raise Usage("the further databases have to be empty ones: other than those of the old layout")
    from facedown.server.store.sharded.divide import divide, is_dividing, unite

    if len(sources) > 1 and not (len(targets) > 1 and asyncio.run(is_dividing(sources[0]))):
        count = asyncio.run(unite(sources, _show))
        _show("")
        print(f"{count} tables were written to the first database and compared.")
    if len(targets) > 1:
        count = asyncio.run(divide(targets, _show))
        _show("")
        print(f"{count} tables were written to further clusters and compared: name all of them from now on.")
    return DONE


def _move_folder(arguments: argparse.Namespace, target: str) -> None:
    from facedown.server.store.move import move

    source = folder_of(_url(arguments))
    counts = asyncio.run(move(source, target, _without_password(target), _show))
    _show("")
    print(f"Moved and compared: {', '.join(f'{count} {name}' for name, count in counts.items() if count)}.")
    print(f"{source} is marked, and no server starts on it; from now on: facedown serve --store URL")


def _show(line: str) -> None:
    """Show the progress of something that takes long, in one line."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


def _show_games(done: int, of: int) -> None:
    _show(f"{done:,} of {of:,} games written" if of else f"{done:,} games looked through")


def _dump(arguments: argparse.Namespace) -> int:
    """Write a month of games into a new folder, which gets its name once it is whole."""
    check_extra("`dump` needs", "server", "cryptography", "msgspec", "openskill", "structlog")
    from facedown.server.accounts.open_data import Month

    month, target, url = Month.read(arguments.month), Path(arguments.folder).absolute(), _url(arguments)
    if target.exists():
        raise Usage(f"{target} exists already; a month that was given away is not written again")
    if is_postgresql(url):
        check_extra("a store on PostgreSQL needs", "postgresql", "asyncpg")
    part = target.with_name(f".{target.name}.part")
    with naming_errors(str(target)):
        shutil.rmtree(part, ignore_errors=True)  # what a killed run has left
        try:
            part.mkdir(mode=0o700)
            if not is_postgresql(url):  # a server that runs has locked the original
                (part / "copy").mkdir()
                backup(folder_of(url), part / "copy" / DATABASE)
                url = f"sqlite:{part / 'copy'}"
            (part / "data").mkdir()
            counts = asyncio.run(_write_month(url, month, part / "data"))
            (part / "data").rename(target)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    _show("")
    written = ", ".join(f"{count:,} of {name}" for name, count in counts.items())
    print(f"{month.name} is in {arguments.folder}: {written}.")
    return DONE


async def _write_month(url: str, month: Month, folder: Path) -> dict[str, int]:
    from facedown.library.dataset import DatasetWriter
    from facedown.server.accounts.open_data import open_games
    from facedown.server.public_log import PublicLog
    from facedown.server.signing import Signing
    from facedown.server.store import open_store

    store, writer = open_store(url), DatasetWriter(folder, month.name)
    try:
        if await store.time() < month.end:
            raise Usage(f"{month.name} is not over")
        async for each in open_games(store, month, _show_games):
            writer.add(*each)
        signing = Signing(store)
        await signing.load()
        checkpoint = await PublicLog(store, signing).checkpoint()
        has_parquet = find_spec("pyarrow") is not None
        counts = writer.finish(
            checkpoint, lambda text: signing.sign_record(text, signing.key), parquet=has_parquet
        )
    finally:
        writer.close()
        await store.close()
    if not counts:
        raise Usage(
            f"{month.name} has no game to give away: none is rated and public, or too few people played"
        )
    if not has_parquet:
        print("Without Parquet, which needs the extra `parquet`.", file=sys.stderr)
    return counts


async def _ratings(arguments: argparse.Namespace) -> int:
    """Fold all games with this program's version of ratings: beside those that are shown, or instead."""
    from facedown.server.accounts.finished_games import compare, use_version
    from facedown.server.store import open_store

    if arguments.to:
        raise Usage(f"`store {arguments.do}` takes nothing more; --store names another store")
    store = open_store(_url(arguments))
    try:
        if arguments.do == "rate-again":
            await use_version(store)
            print("All games will be rated again, from the first, by the next server that runs.")
            return DONE
        changes = await compare(store)
    finally:
        await store.close()
    for each in changes:
        print(
            f"{each.ladder}: {each.players} players, points change by {each.mean:.1f} on average and "
            f"{each.most} at most, order {each.order:.3f}"
        )
        for player, before, after in each.movers:
            print(f"   {before:>5} -> {after:>5}  {player}")
    print("`facedown store rate-again` shows the new ones." if changes else "No game has been rated.")
    return DONE


async def _people(arguments: argparse.Namespace) -> int:
    """Print what people picked, one line of JSON for each game and its rules; or let it be counted again."""
    from facedown.server.store import open_store

    if arguments.to:
        raise Usage(f"`store {arguments.do}` takes nothing more; --store names another store")
    store = open_store(_url(arguments))
    try:
        if arguments.do == "count-again":
            await store.crowds.count_again()
            print(
                "The picks of all games will be counted again, from the first, by the next server that runs."
            )
            return DONE
        shown = await store.crowds.everywhere()
    finally:
        await store.close()
    for (game, rules), positions in shown.items():
        sides = {at: [each._asdict() for each in sides] for at, sides in positions.items()}
        print(json.dumps({"game": game, "rules": rules, "band": "all", "positions": sides}))
    return DONE


def _url(arguments: argparse.Namespace) -> str:
    return Settings.read({"data": arguments.data, "store": arguments.store}, os.environ).store_url
