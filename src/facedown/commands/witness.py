"""`facedown witness`: follows the public logs of servers, cosigns what it saw, and publishes it as files.

The folder can be served by any web server; a client names its address as its witness. The witness's key and
what it remembers are elsewhere, in the state folder.
"""

from __future__ import annotations

import argparse
import json
import re
import secrets
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from facedown.cli import DONE, FAILED, WRONG
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra
from facedown.core.errors import FacedownError, NotVerified
from facedown.files import replace_file
from facedown.terminal.paths import state_folder

if TYPE_CHECKING:
    from facedown.client.log_entries import EntryCount
    from facedown.protocol.rest import WitnessedLog

_ADDRESS: Final = re.compile(r"(?:(?P<host>[^:]+|\[[^]]+]):)?(?P<port>\d{1,5})")
_PAUSE_S: Final = 0.1
"""Between two pages of entries, so that the server does not refuse the next one."""
_KEYS: Final = Path(".well-known/facedown.json")
_LOGS: Final = Path("api/v1/log/witnessed")
"""Where a server publishes the same: a client asks both alike."""


def run(arguments: argparse.Namespace) -> int:
    """Ask every server for its newest checkpoint, once or until interrupted."""
    check_extra("`witness` needs", "server", "msgspec", "websockets", "cryptography")
    from facedown.client.rest import Address

    servers = [Address.read(each).server for each in arguments.servers]
    witness = _Witness(arguments.folder)
    if arguments.serve is not None:
        _serve(witness.folder, arguments.serve)
    while True:
        codes = [witness.look(each, as_json=arguments.json) for each in servers]
        witness.publish(servers)
        if arguments.once or (WRONG in codes and arguments.serve is None):  # else the evidence stays there
            return WRONG if WRONG in codes else max(codes)
        time.sleep(max(1, arguments.every))


class _Witness:
    def __init__(self, folder: str | None) -> None:
        self._state = state_folder() / "witness"
        self._state.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.folder = self._state / "public" if folder is None else Path(folder)
        for each in (_KEYS, _LOGS):
            (self.folder / each).parent.mkdir(parents=True, exist_ok=True)
        self._key = self._read_key()

    def _read_key(self) -> bytes:
        from facedown.proof.signatures import new_signing_key

        file = self._state / "key"
        if not file.exists():
            replace_file(file, new_signing_key(secrets.token_bytes(64)), mode=0o600)
        return file.read_bytes()

    def look(self, server: str, *, as_json: bool) -> int:
        """See what a server shows, and print it: whether its log only grew."""
        import msgspec

        from facedown.client.log_entries import EntryCount
        from facedown.client.public_log import fork_evidence, observe
        from facedown.proof.log import cosign

        at = int(time.time())
        before, count = self._witnessed_log(server), self._read(server, "count", EntryCount) or EntryCount()
        said: dict[str, Any] = {"server": server}
        code = DONE
        try:
            seen = observe(server, before, lambda note: cosign(note, self._key, at))
            self._write(server, "seen", msgspec.json.encode(seen))
            replace_file(self.folder / f"{_name(server)}.note", seen.checkpoint.encode())
            if seen.fork:
                evidence = self.folder / f"{_name(server)}.evidence.json"
                replace_file(evidence, fork_evidence(seen))
                raise NotVerified(f"the log shows two histories; the evidence is in {evidence}")
            _count(server, seen, count)
            count.note_time(at)
            self._write(server, "count", msgspec.json.encode(count))
            said |= {"entries": count.size, "open": len(count.tables), "unfinished": count.unfinished(at)}
        except FacedownError as error:
            code = WRONG if isinstance(error, NotVerified) else FAILED
            said |= {"error": error.code, "say": str(error)}
        _print(said, as_json=as_json)
        return code

    def publish(self, servers: list[str]) -> None:
        """Write the key, and what was seen of each server."""
        import msgspec

        from facedown.proof.signatures import public_key
        from facedown.protocol.rest import ServerKeys, WitnessedLogs

        seen = tuple(each for each in map(self._witnessed_log, servers) if each is not None)
        replace_file(self.folder / _KEYS, msgspec.json.encode(ServerKeys("", public_key(self._key))))
        replace_file(self.folder / _LOGS, msgspec.json.encode(WitnessedLogs(seen)))

    def _witnessed_log(self, server: str) -> WitnessedLog | None:
        from facedown.protocol.rest import WitnessedLog

        found: WitnessedLog | None = self._read(server, "seen", WitnessedLog)
        return found

    def _read(self, server: str, what: str, kind: Any) -> Any:
        import msgspec

        file = self._state / f"{_name(server)}.{what}.json"
        try:
            return msgspec.json.decode(file.read_bytes(), type=kind) if file.exists() else None
        except msgspec.MsgspecError:
            raise Usage(f"{file} cannot be read; without it the witness begins again") from None

    def _write(self, server: str, what: str, content: bytes) -> None:
        replace_file(self._state / f"{_name(server)}.{what}.json", content, mode=0o600)


def _count(server: str, seen: WitnessedLog, count: EntryCount) -> None:
    """Add the entries that are new; raises `NotVerified` if they are not those of the checkpoint."""
    from facedown.client.errors import ServerLost
    from facedown.client.rest import RestClient
    from facedown.proof.log import read_checkpoint

    newest, client = read_checkpoint(seen.checkpoint), RestClient(server)
    while count.size < newest.size:
        entries = client.log_entries(count.size).entries[: newest.size - count.size]
        if not entries:
            raise ServerLost(f"{server} does not show entry {count.size} of its log")
        for each in entries:
            try:
                count.add(bytes.fromhex(each))
            except ValueError:
                raise ServerLost(f"{server} answers what no such server does") from None
        if count.size < newest.size:
            time.sleep(_PAUSE_S)
    if count.size == newest.size and count.root != newest.root:
        raise NotVerified("the entries of the log are not those of its checkpoint")


def _print(said: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(said), flush=True)
    elif "error" in said:
        where = "" if said["server"] in said["say"] else f"{said['server']}: "
        print(f"facedown: {said['error']}: {where}{said['say']}", file=sys.stderr, flush=True)
    else:
        print(
            f"{said['server']}: {said['entries']} entries, {said['open']} tables without an end, "
            f"{said['unfinished']} of them for more than 30 days",
            flush=True,
        )


def _name(server: str) -> str:
    """The address of a server as the name of a file."""
    return re.sub(r"[^a-z0-9.-]", "_", server.partition("://")[2].lower())


# --- serving ---------------------------------------------------------------------------------------------


class _Files(SimpleHTTPRequestHandler):
    timeout = 10

    def log_message(self, *_: Any) -> None:
        """Nothing: a witness does not note who asks."""


def _serve(folder: Path, where: str) -> None:
    """Serve the folder on a thread of its own."""
    found = _ADDRESS.fullmatch(where)
    if found is None or int(found["port"]) > 65535:
        raise Usage(f"--serve {where[:40]!r}: a port, or HOST:PORT")
    host = (found["host"] or "127.0.0.1").strip("[]")
    try:
        server = ThreadingHTTPServer((host, int(found["port"])), partial(_Files, directory=str(folder)))
    except OSError as error:
        raise Usage(f"--serve {where[:40]!r}: {(error.strerror or str(error)).lower()}") from None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"The witness is at http://{host}:{server.server_address[1]}", flush=True)
