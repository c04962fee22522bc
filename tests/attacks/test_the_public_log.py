"""A server that would rather have made other tables: its log only grows, and anyone may keep a checkpoint."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from facedown.core.errors import NotVerified
from facedown.core.links import NO_HEAD, head_after, leaf_of_log, read_link
from facedown.core.merkle import Subtree, inclusion_path, is_included, leaf_hash, node_hash
from facedown.core.record import Record
from facedown.proof import verify
from facedown.proof.log import Checkpoint, LogProof, NoteKey, check_continued, read_checkpoint
from facedown.protocol.messages import SUBPROTOCOL
from tests.cli.conftest import Here
from tests.cli.conftest import here as here
from tests.server.http.client import Caller, Meet, play_out, sit_down
from tests.server.kept import kept_by
from tests.server.running import Server, until


def newest(caller: Caller) -> tuple[Checkpoint, NoteKey]:
    """The newest checkpoint, checked by the key that the server publishes."""
    answer = caller.ask("GET", "/log/checkpoint")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    published = caller.http.get(caller.http.base_url.join("/.well-known/facedown.json")).json()["key"]
    key = NoteKey(answer.text.split("\n")[0], bytes.fromhex(published))
    return read_checkpoint(answer.text, key), key


def bundle_of(caller: Caller, size: int) -> list[bytes]:
    """The first entries of the log, fewer than 256."""
    whole, entries = caller.ask("GET", f"/log/tile/entries/000.p/{size}").content, []
    while whole:
        end = 2 + int.from_bytes(whole[:2], "big")
        entries.append(whole[2:end])
        whole = whole[end:]
    return entries


def hashes_of(caller: Caller, size: int) -> list[bytes]:
    """The hashes of the first entries of the log, fewer than 256."""
    tile = caller.ask("GET", f"/log/tile/0/000.p/{size}").content
    return [tile[at : at + 32] for at in range(0, len(tile), 32)]


def entry_of(caller: Caller, table: str) -> bytes:
    """The entry of a table, from its first link, which every spectator is sent."""
    address = caller.base.replace("http", "ws", 1) + "/ws/v1"
    with connect(address, subprotocols=[Subprotocol(SUBPROTOCOL)], proxy=None) as line:
        line.send(json.dumps({"t": "hello", "table": table}))
        links = next(each for each in map(json.loads, line) if each["t"] == "links")
    first = read_link(links["links"][0])
    return leaf_of_log("table", table, head_after(NO_HEAD, 0, first))


def proof_of(caller: Caller, entry: bytes) -> LogProof:
    """The proof of an entry, once the log has numbered it."""
    path = f"/log/proof?leaf={leaf_hash(entry).hex()}"
    until(lambda: caller.ok("GET", path)["proof"] != "")
    return LogProof.read(caller.ok("GET", path)["proof"])


def test_every_table_is_in_the_log_before_anyone_sits_down_and_the_log_survives_a_kill(
    server: Server, meet: Meet
) -> None:
    ann, stranger = meet("Ann"), meet()
    table = sit_down(ann, meet("Bob"))
    entry = entry_of(ann, table)
    before = proof_of(stranger, entry)
    old, key = newest(stranger)
    assert before.check(entry, key).size <= old.size
    server.kill()
    server.start()
    later = entry_of(ann, sit_down(ann, meet("Cy")))
    assert proof_of(stranger, later).index >= old.size
    new, same_key = newest(meet())
    assert (same_key, new.size > old.size) == (key, True)
    path = stranger.ok("GET", f"/log/consistency?old={old.size}&new={new.size}")["path"]
    check_continued(old, new, [bytes.fromhex(each) for each in path])
    assert bundle_of(stranger, new.size)[before.index] == entry


def test_anyone_computes_every_proof_from_tiles(meet: Meet) -> None:
    ann, stranger = meet("Ann"), meet()
    entry = entry_of(ann, sit_down(ann, meet("Bob")))
    index = proof_of(stranger, entry).index
    size, root = newest(stranger)[0].size, newest(stranger)[0].root
    leaves = hashes_of(stranger, size)
    assert leaves == [leaf_hash(each) for each in bundle_of(stranger, size)]

    def stored(node: Subtree) -> bytes:
        if node.level == 0:
            return leaves[node.place]
        left, right = (Subtree(node.level - 1, 2 * node.place + half) for half in (0, 1))
        return node_hash(stored(left), stored(right))

    path = [span.hash(stored) for span in inclusion_path(index, size)]
    assert is_included(leaf_hash(entry), index, size, path, root)


def test_a_finished_record_proves_that_the_log_has_it(meet: Meet, here: Here, tmp_path: Path) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob)
    play_out(table, ann, bob)
    record = ann.ok("GET", f"/tables/{table}/record")
    assert record == bob.ok("GET", f"/tables/{table}/record")  # it is made once
    key = newest(ann)[1].public.hex()
    (tmp_path / "game.json").write_text(json.dumps(record))
    ran = here("verify", str(tmp_path / "game.json"), "--key", key)
    assert (ran.status, ran.out.splitlines()[-1][:6]) == (0, "proven"), ran.out
    other = table_with_end(meet)
    for kind in ("table", "record"):
        lie = {**record, "fair": {**record["fair"], "log": {**record["fair"]["log"], kind: other[kind]}}}
        findings = verify(Record.read(json.dumps(lie)))
        with pytest.raises(NotVerified):
            list(findings)


def table_with_end(meet: Meet) -> dict[str, str]:
    """The log's proofs of another game."""
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob)
    play_out(table, ann, bob)
    proofs: dict[str, str] = ann.ok("GET", f"/tables/{table}/record")["fair"]["log"]
    return proofs


NO_TILES = (
    "0/000",  # not full
    "0/000.p/0",
    "0/000.p/256",
    "0/000.p/01",
    "0/000.p/-1",
    "0/000.p/",
    "0/1.p/1",
    "0/x000/000.p/1",
    "0/x1/000",
    "0/000/x001",
    f"0/{'x999/' * 5}999",
    f"63/{'x999/' * 4}999.p/255",
    "00/000.p/1",
    "64/000.p/1",
    "-1/000.p/1",
    "entries/../0/000.p/1/..",
    "entries/000.p/255",
    "\u0663/000.p/1",
    "0/\u0660\u0660\u0660.p/1",
    "0/",
    "none/000",
)


def test_a_request_that_the_log_cannot_answer_is_refused(meet: Meet) -> None:
    stranger = meet()
    size = newest(stranger)[0].size
    for path, status in (
        ("/log/proof?leaf=xyz", 400),
        ("/log/proof", 400),
        (f"/log/consistency?old=1&new={size + 1000}", 404),
        ("/log/consistency?old=9&new=3", 404),
        ("/log/consistency?old=0&new=3", 400),
        *((f"/log/tile/{tile}", 404) for tile in NO_TILES),
    ):
        assert (path, stranger.ask("GET", path).status_code) == (path, status)
    assert stranger.ok("GET", f"/log/proof?leaf={'00' * 32}") == {"proof": ""}


def test_the_log_names_no_table_and_no_person(meet: Meet) -> None:
    ann = meet("Ann")
    table = sit_down(ann, meet("Bob"))
    proof_of(ann, entry_of(ann, table))
    entries = b"".join(bundle_of(ann, newest(ann)[0].size))
    assert not re.search(rb"Ann|Bob|" + table.encode(), entries)


def test_the_log_cannot_be_rewritten_in_the_database(server: Server, meet: Meet) -> None:
    ann = meet("Ann")
    proof_of(ann, entry_of(ann, sit_down(ann, meet("Bob"))))
    kept = kept_by(server)
    assert kept.refuses("update log_entries set entry = hash")
    assert kept.refuses("update log_entries set n = n + 1000000")
    assert kept.refuses("delete from log_entries")
