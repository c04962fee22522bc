"""`facedown doctor`: what is installed, the data folder, the port, the network, the clock, one line each."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from facedown.cli import DONE, WRONG
from facedown.cli.extras import install_command, is_installed
from facedown.core.errors import FacedownError
from facedown.core.text.sanitise import printable
from facedown.version import __version__

if TYPE_CHECKING:
    from facedown.server.settings import Settings

_OLDEST: Final = (3, 11)
_SERVER: Final = ("msgspec", "starlette", "uvicorn")
_LONGEST: Final = 4000
_ANSWER_S: Final = 1.0
_FAR_S: Final = 2.0
"""A clock that is further off than this is worth a line."""
_OF_EXTRA: Final = re.compile(r"(?P<name>[\w.-]+)(\[(?P<parts>.*)\])?[^;]*; extra == .(?P<of>[\w-]+).")
_SIGNS: Final = {"fine": "✓", "wrong": "✗", "note": "–"}


class Diagnosis(NamedTuple):
    """What one check found."""

    name: str
    state: str
    """`fine`, `wrong`, or `note`: nothing is wrong, or it could not be checked."""
    say: str
    do: str = ""
    """What to do about it."""


def run(arguments: argparse.Namespace) -> int:
    """Check everything, and print it."""
    found = list(_diagnoses(arguments))
    fine = all(each.state != "wrong" for each in found)
    if arguments.json:
        print(json.dumps({"fine": fine, "checks": [each._asdict() for each in found]}, ensure_ascii=False))
    else:
        for each in found:
            line = f"{each.name}: {each.say}{f'; {each.do}' if each.do else ''}"
            print(_SIGNS[each.state], printable(line, _LONGEST))
    return DONE if fine else WRONG


def _diagnoses(arguments: argparse.Namespace) -> Iterator[Diagnosis]:
    started = time.time(), time.monotonic()
    yield _versions()
    yield from _extras()
    if not all(map(is_installed, _SERVER)):
        yield Diagnosis("server", "note", "not installed, so nothing of it was checked")
        return
    from facedown.commands.serve import running_at
    from facedown.server.settings import Settings

    flags = {name: getattr(arguments, name) for name in ("data", "host", "port", "store", "tls")}
    settings = Settings.read(flags, os.environ)
    running = running_at(settings)
    yield _data_folder(settings, running)
    yield from _database(settings)
    if settings.tls:
        yield _diagnose("certificate", lambda: _certificate(*settings.tls))
    yield _diagnose("port", lambda: _port(settings, running))
    yield _home_network(settings, running)
    yield _clock(settings, *started)


def _diagnose(name: str, check: Callable[[], Diagnosis]) -> Diagnosis:
    """What a check found, or what it raised."""
    try:
        return check()
    except FacedownError as error:
        return Diagnosis(name, "wrong", str(error))
    except OSError as error:
        return Diagnosis(name, "wrong", (error.strerror or str(error)).lower())


# --- what is installed -----------------------------------------------------------------------------------


def _versions() -> Diagnosis:
    say = f"facedown {__version__} on Python {sys.version.split()[0]} ({sys.executable})"
    if sys.version_info < _OLDEST:
        return Diagnosis("versions", "wrong", say, f"Python {'.'.join(map(str, _OLDEST))} or newer is needed")
    return Diagnosis("versions", "fine", say)


def _extras() -> Iterator[Diagnosis]:
    """Which extras are complete; a requirement with another condition than the extra is not counted."""
    try:
        needs = metadata.distribution("facedown").requires or []
    except metadata.PackageNotFoundError:
        yield Diagnosis("extras", "note", "not checked: this Facedown was not installed as a package")
        return
    lacking: dict[str, list[str]] = {}
    made_of: dict[str, list[str]] = {}
    for need in needs:
        if not (found := _OF_EXTRA.fullmatch(need)):
            continue
        missing = lacking.setdefault(found["of"], [])
        if found["name"] == "facedown":
            made_of[found["of"]] = found["parts"].split(",")
        elif not _has_distribution(found["name"]):
            missing.append(found["name"])
    for name, parts in made_of.items():
        lacking[name] += [each for each in parts if lacking.get(each)]
    there = [name for name, missing in lacking.items() if not missing]
    absent = [name for name, missing in lacking.items() if missing]
    yield Diagnosis("extras", "fine" if there else "note", ", ".join(there) or "none")
    if absent:
        usual = "play" if "play" in absent else absent[0]
        others = ", and the others likewise" if len(absent) > 1 else ""
        do = f"`{usual}` by {install_command(usual)}{others}"
        yield Diagnosis("extras", "note", f"not installed: {', '.join(absent)}", do)


def _has_distribution(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


# --- the data --------------------------------------------------------------------------------------------


def _data_folder(settings: Settings, running: str) -> Diagnosis:
    from facedown.server.ops.runfile import FILE

    folder = settings.data
    if not folder.exists():
        above = next(each for each in folder.parents if each.exists())
        if os.access(above, os.W_OK):
            return Diagnosis("data folder", "fine", f"{folder} will be made at the first start")
        return Diagnosis("data folder", "wrong", f"{folder} cannot be made", "--data names another one")
    if not folder.is_dir() or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Diagnosis("data folder", "wrong", f"{folder} cannot be written", "--data names another one")
    if running:
        return Diagnosis("data folder", "fine", f"{folder}, used by the server at {running}")
    if (folder / FILE).exists():
        return Diagnosis("data folder", "fine", f"{folder}; the last server was killed, and nothing is lost")
    return Diagnosis("data folder", "fine", f"{folder}; no server runs on it")


def _database(settings: Settings) -> Iterator[Diagnosis]:
    from facedown.server.store import folder_of, is_postgresql
    from facedown.server.store.sqlite.data_dir import DATABASE

    if is_postgresql(settings.store_url):
        yield _diagnose("PostgreSQL", lambda: asyncio.run(_postgresql(settings.store_url)))
        return
    database = folder_of(settings.store_url) / DATABASE
    if database.exists():
        yield _diagnose("database", lambda: _sqlite(database))


def _sqlite(database: Path) -> Diagnosis:
    from facedown.server.store.sqlite.moved import move_target
    from facedown.server.store.sqlite.schema import check_version, open_for_reading

    if not database.stat().st_size:
        return Diagnosis("database", "fine", f"{database} is empty")
    try:
        with contextlib.closing(open_for_reading(database)) as connection:
            check_version(connection, database)
            tables, people = connection.execute(
                "select (select count(*) from tables), (select count(*) from people)"
            ).fetchone()
    except sqlite3.Error as error:
        return Diagnosis("database", "wrong", f"{database}: {error}", "`facedown admin check` says more")
    say = f"{tables} tables, {people} people"
    if target := move_target(database):
        return Diagnosis("database", "wrong", f"{say}, moved to {target}", "`facedown serve --store URL`")
    return Diagnosis("database", "fine", say)


async def _postgresql(url: str) -> Diagnosis:
    from facedown.core.errors import missing_extra
    from facedown.server.store.postgresql.schema import NAME

    if not is_installed("asyncpg"):
        error = missing_extra("a store on PostgreSQL needs", "postgresql")
        return Diagnosis("PostgreSQL", "wrong", str(error), install_command("postgresql"))
    from facedown.server.store.postgresql.connections import connect_to

    connection = await connect_to(url)
    try:
        version = await connection.fetchval("show server_version")
        there = await connection.fetchval("select to_regclass($1) is not null", f"{NAME}.tables")
        if not there:
            return Diagnosis("PostgreSQL", "fine", f"version {version}; the first server makes its schema")
        tables = await connection.fetchval("select count(*) from tables")
    finally:
        await connection.close()
    return Diagnosis("PostgreSQL", "fine", f"version {version}, {tables} tables")


# --- the network -----------------------------------------------------------------------------------------


def _certificate(certificate: str, key: str) -> Diagnosis:
    from cryptography import x509

    from facedown.server.ops.tls import Certificate

    Certificate(certificate, key)
    ends = x509.load_pem_x509_certificate(Path(certificate).read_bytes()).not_valid_after_utc
    if ends.timestamp() < time.time():
        return Diagnosis("certificate", "wrong", f"{certificate} has expired", "renew it")
    return Diagnosis("certificate", "fine", f"valid until {ends:%Y-%m-%d}")


def _port(settings: Settings, running: str) -> Diagnosis:
    from facedown.server.run import PortTaken, listen

    if running and urlsplit(running).port == settings.port:
        return Diagnosis("port", "fine", f"{settings.port}, held by the server at {running}")
    try:
        listen(settings.host, settings.port).close()
    except PortTaken as error:
        holder = _holder(settings.port)
        say = f"{settings.port} is taken by {holder}" if holder else str(error.message)
        return Diagnosis("port", "wrong", say, "--port names another one")
    return Diagnosis("port", "fine", f"{settings.port} at {settings.host} is free")


def _holder(port: int) -> str:
    """The process that listens on a port, on systems that show it to this user; else empty."""
    sockets = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with contextlib.suppress(OSError):
            for line in Path(table).read_text("ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                    sockets.add(f"socket:[{fields[9]}]")
    for process in Path("/proc").glob("[0-9]*") if sockets else ():
        with contextlib.suppress(OSError):  # of another user, or gone
            if any(os.readlink(each) in sockets for each in (process / "fd").iterdir()):
                return f"process {process.name} ({(process / 'comm').read_text().strip()})"
    return ""


def _home_network(settings: Settings, running: str) -> Diagnosis:
    from facedown.server.ops.home_network import is_loopback, network_host

    host, name = network_host(), "home network"
    if settings.public_url:
        return Diagnosis(name, "note", f"not checked: people reach it at {settings.public_url}")
    if not host:
        return Diagnosis(name, "note", "this computer is in none")
    address = f"{host}:{urlsplit(running).port if running else settings.port}"
    if running:
        try:
            socket.create_connection((host, urlsplit(running).port or 0), _ANSWER_S).close()
        except OSError:
            return Diagnosis(name, "note", "only this computer reaches the server", "--host 0.0.0.0 opens it")
        return Diagnosis(name, "fine", f"the server is at {address}, unless a firewall keeps devices out")
    if is_loopback(settings.host):
        return Diagnosis(name, "note", "only this computer will reach it", f"--host 0.0.0.0 opens {address}")
    return Diagnosis(name, "fine", f"devices will reach it at {address}, unless a firewall keeps them out")


# --- the clock -------------------------------------------------------------------------------------------


def _clock(settings: Settings, wall: float, monotonic: float) -> Diagnosis:
    """Whether the clock ran evenly during the checks, and is not behind the newest table."""
    jumped = (time.time() - wall) - (time.monotonic() - monotonic)
    if abs(jumped) > _FAR_S:
        return Diagnosis("clock", "wrong", f"it was set by {jumped:+.0f} s during these checks")
    if (behind := _newest(settings) - time.time()) > _FAR_S:
        return Diagnosis("clock", "wrong", f"{behind:.0f} s behind the newest table", "set it, or wait")
    return Diagnosis("clock", "fine", "runs evenly")


def _newest(settings: Settings) -> float:
    """When a table of the data folder changed last, in seconds; 0 if there is none."""
    from facedown.server.store.sqlite.data_dir import DATABASE
    from facedown.server.store.sqlite.schema import open_for_reading

    try:
        with contextlib.closing(open_for_reading(settings.data / DATABASE)) as connection:
            return (connection.execute("select max(changed_at) from tables").fetchone()[0] or 0) / 1000
    except (sqlite3.Error, FacedownError):
        return 0.0
