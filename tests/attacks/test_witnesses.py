"""Public witnesses: the server gets their cosignatures, and a client believes no other signature."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TypeAlias

import pytest

from facedown.proof.log import Checkpoint, check_continued, cosigned_at, read_checkpoint
from tests.cli.conftest import Here
from tests.cli.conftest import here as here
from tests.core.test_log import COSIGNED, KEY, WITNESS, cosignature
from tests.server.http.client import Caller, play_out, sit_down
from tests.server.running import Server, until

Answer: TypeAlias = "Callable[[str], tuple[int, str]]"
OFTEN = "from facedown.server import witnesses; witnesses._EVERY_S = 0.1"


class Witness:
    """A witness as C2SP describes it: cosigns what continues its last checkpoint."""

    def __init__(self) -> None:
        self.seen: Checkpoint | None = None

    def add_checkpoint(self, body: str) -> tuple[int, str]:
        head, _, note = body.partition("\n\n")
        first, *path = head.split("\n")
        fresh, size = read_checkpoint(note), 0 if self.seen is None else self.seen.size
        if first != f"old {size}":
            return 409, f"{size}\n"
        if self.seen is not None:
            check_continued(self.seen, fresh, [base64.b64decode(each) for each in path])
        self.seen = fresh
        return 200, cosignature(note)


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """The setting that names a witness with these answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/w1/add-checkpoint"
            status, text = answer(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"{WITNESS.text(COSIGNED)} http://127.0.0.1:{server.server_address[1]}/w1"
        server.shutdown()


def newest(server: Server) -> str:
    with Caller(server.base) as caller:
        return caller.ask("GET", "/log/checkpoint").text


def test_a_witness_cosigns_the_log_and_a_record_is_verified_with_it(tmp_path: Path, here: Here) -> None:
    witness = Witness()
    with serving(witness.add_checkpoint) as named:
        server = Server(tmp_path / "data", FACEDOWN_WITNESSES=named).after(OFTEN).start()
        try:
            until(lambda: cosigned_at(newest(server), WITNESS))
            with Caller(server.base) as ann, Caller(server.base) as bob:
                ann.begin("Ann")
                bob.begin("Bob")
                table = sit_down(ann, bob)
                play_out(table, ann, bob)
                record = ann.ok("GET", f"/tables/{table}/record")
            (tmp_path / "game.json").write_text(json.dumps(record))
            server.kill()
            server.start()  # knows no more what the witness has seen
            entries = int(record["fair"]["log"]["record"].split("\n\n")[1].split("\n")[1])
            until(
                lambda: (
                    cosigned_at(newest(server), WITNESS) and read_checkpoint(newest(server)).size >= entries
                )
            )
            asked = ("verify", str(tmp_path / "game.json"), "--server", server.base, "--witness-key")
            ran = here(*asked, WITNESS.text(COSIGNED))
            assert (ran.status, "✓ witness: the witness witness.example/w1 has seen" in ran.out) == (
                0,
                True,
            ), ran
            ran = here(*asked, type(WITNESS)("other.example", KEY.public).text(COSIGNED))
            assert (ran.status, "– witness: the witness other.example has not seen" in ran.out) == (
                3,
                True,
            ), ran
            with Caller(server.base) as caller:
                keys = caller.http.get(f"{server.base}/.well-known/facedown.json").json()
            assert keys["witnesses"] == [WITNESS.text(COSIGNED)]
        finally:
            server.close()


@pytest.mark.parametrize(
    "answer",
    [
        lambda body: (200, "— nonsense\n" * 100_000),
        lambda body: (200, cosignature(body.partition("\n\n")[2].replace("\n0\n", "\n9\n"))),
        lambda body: (200, ""),
        lambda body: (409, "-1\n"),
        lambda body: (409, "9" * 4000),
        lambda body: (409, "999999999999\n"),
        lambda body: (302, ""),
        lambda body: (200, "\udcff".encode("utf-8", "surrogatepass").decode("latin-1")),
    ],
    ids=[
        "lines",
        "another log",
        "nothing",
        "a negative size",
        "digits",
        "a larger log",
        "a redirect",
        "bytes",
    ],
)
def test_a_witness_that_lies_or_errs_changes_nothing(tmp_path: Path, answer: Answer) -> None:
    asked: list[str] = []

    def heard(body: str) -> tuple[int, str]:
        asked.append(body)
        return answer(body)

    with serving(heard) as named:
        server = Server(tmp_path / "data", FACEDOWN_WITNESSES=named).after(OFTEN).start()
        try:
            until(lambda: len(asked) > 2)
            assert newest(server).count("— ") == 1, "the server's own signature alone"
        finally:
            server.close()
