"""`facedown admin`: which tables a running server has, and closing one."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from facedown.cli import DONE
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra

if TYPE_CHECKING:
    from facedown.client import RestClient

_TIMEOUT: Final = 10.0
"""Seconds that the server has to answer."""


def run(arguments: argparse.Namespace) -> int:
    """Ask the server that runs on the data folder."""
    check_extra("`admin` needs", "server", "msgspec", "websockets")
    if arguments.do == "tables":
        if arguments.table is not None or arguments.say is not None:
            raise Usage("`admin tables` takes neither a table nor --say")
        return _tables(arguments)
    if arguments.table is None:
        raise Usage("which table? `facedown admin close ID`, and `facedown admin tables` lists them")
    if arguments.json:
        raise Usage("--json is for `admin tables`")
    with _server(arguments) as server:
        server.close_table(arguments.table, arguments.say or "")
    print(f"Closed {arguments.table}.")
    return DONE


def _tables(arguments: argparse.Namespace) -> int:
    import msgspec

    with _server(arguments) as server:
        found = server.admin_tables()
    if arguments.json:
        print(json.dumps(json.loads(msgspec.json.encode(found)), ensure_ascii=False))
        return DONE
    print(f"{len(found.tables)} tables, {found.loaded} in memory")
    for table in found.tables:
        names = ", ".join(seat.name or "free" for seat in table.seats)
        print(f"{table.table}  {table.state:<8} {table.game} {table.rules}  {names}")
    return DONE


@contextmanager
def _server(arguments: argparse.Namespace) -> Iterator[RestClient]:
    """The server that runs on the data folder, as its operator."""
    from facedown.client import RestClient, ServerLost
    from facedown.server.ops.runfile import NotRunning, read_runfile
    from facedown.server.settings import Settings

    data = Settings.read({"data": arguments.data}, os.environ).data
    running = read_runfile(data)
    address = running.address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
    try:
        yield RestClient(address, running.token, timeout=_TIMEOUT)
    except ServerLost:
        say = f"no server runs on {data}: the one that left {data / 'server.json'} does not answer"
        raise NotRunning(say) from None
