"""`facedown admin`: which tables a running server has, and closing one."""

from __future__ import annotations

import argparse
import json
import os
import urllib.error
import urllib.request
from typing import Any, Final
from urllib.parse import quote

from facedown.cli import DONE
from facedown.cli.errors import Usage
from facedown.core.errors import FacedownError

_WAIT_S: Final = 10


class AdminRefused(FacedownError):
    """The server refused an operator's command."""

    code = "refused"


def run(arguments: argparse.Namespace) -> int:
    """Ask the server that runs on the data folder."""
    if arguments.do == "tables":
        if arguments.table is not None or arguments.say is not None:
            raise Usage("`admin tables` takes neither a table nor --say")
        return _tables(arguments)
    if arguments.table is None:
        raise Usage("which table? `facedown admin close ID`, and `facedown admin tables` lists them")
    if arguments.json:
        raise Usage("--json is for `admin tables`")
    _ask(arguments, "POST", f"/tables/{quote(arguments.table, safe='')}/close", {"say": arguments.say or ""})
    print(f"Closed {arguments.table}.")
    return DONE


def _tables(arguments: argparse.Namespace) -> int:
    found = _ask(arguments, "GET", "/tables")
    if arguments.json:
        print(json.dumps(found, ensure_ascii=False))
        return DONE
    print(f"{len(found['tables'])} tables, {found['loaded']} in memory")
    for table in found["tables"]:
        names = ", ".join(seat["name"] or "free" for seat in table["seats"])
        print(f"{table['table']}  {table['state']:<8} {table['game']} {table['rules']}  {names}")
    return DONE


def _ask(arguments: argparse.Namespace, method: str, path: str, body: object = None) -> Any:
    """One call of the operator's part of the API."""
    from facedown.server.ops.runfile import NotRunning, read_runfile
    from facedown.server.settings import Settings

    data = Settings.read({"data": arguments.data}, os.environ).data
    running = read_runfile(data)
    address = running.address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
    request = urllib.request.Request(
        f"{address}/api/v1/admin{path}",
        None if body is None else json.dumps(body).encode(),
        {"Authorization": f"Bearer {running.token}", "Content-Type": "application/json"},
        method=method,
    )
    try:
        with urllib.request.urlopen(request, timeout=_WAIT_S) as answer:
            text = answer.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        with error:
            raise AdminRefused(_detail(error.read())) from None
    except OSError:
        say = f"no server runs on {data}: the one that left {data / 'server.json'} does not answer"
        raise NotRunning(say) from None


def _detail(body: bytes) -> str:
    """What a problem document says."""
    try:
        return str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return "the server refused, and did not say why"
