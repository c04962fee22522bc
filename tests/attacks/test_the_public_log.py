"""A server that would rather have made other tables: its log only grows, and anyone may keep a checkpoint."""

from __future__ import annotations

import re

from facedown.core.merkle import leaf_hash
from facedown.proof.log import Checkpoint, LogProof, NoteKey, check_continued, log_entry, read_checkpoint
from tests.server.http.client import Caller, Meet, sit_down
from tests.server.kept import kept_by
from tests.server.running import Server, until


def newest(caller: Caller) -> tuple[Checkpoint, NoteKey]:
    """The newest checkpoint, checked by the key that is sent with it."""
    answer = caller.ok("GET", "/log/checkpoint")
    origin = answer["checkpoint"].split("\n")[0]
    key = NoteKey(origin, bytes.fromhex(answer["key"]))
    return read_checkpoint(answer["checkpoint"], key), key


def entry_of(caller: Caller, table: str) -> bytes:
    """The entry of a table, from the promise of its seed."""
    promise = caller.see(table)["table"]["seed_commit"]
    return log_entry("table", table, bytes.fromhex(promise))


def proof_of(caller: Caller, entry: bytes) -> LogProof:
    """The proof of an entry, once the log has numbered it."""
    path = f"/log/proof?leaf={leaf_hash(entry).hex()}"
    until(lambda: caller.ask("GET", path).status_code == 200)
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
    entries = stranger.ok("GET", f"/log/entries?start={before.index}")["entries"]
    assert entries[0] == entry.hex()


def test_a_request_that_the_log_cannot_answer_is_refused(meet: Meet) -> None:
    stranger = meet()
    size = newest(stranger)[0].size
    for path, status in (
        (f"/log/proof?leaf={'00' * 32}", 404),
        ("/log/proof?leaf=xyz", 400),
        ("/log/proof", 400),
        (f"/log/consistency?old=1&new={size + 1000}", 404),
        ("/log/consistency?old=9&new=3", 404),
        ("/log/consistency?old=0&new=3", 400),
        ("/log/entries?start=-1", 400),
        (f"/log/entries?start={10**30}", 400),
    ):
        assert (path, stranger.ask("GET", path).status_code) == (path, status)
    assert stranger.ok("GET", f"/log/entries?start={2**53}") == {"entries": []}


def test_the_log_names_no_table_and_no_person(meet: Meet) -> None:
    ann = meet("Ann")
    table = sit_down(ann, meet("Bob"))
    proof_of(ann, entry_of(ann, table))
    entries = b"".join(map(bytes.fromhex, ann.ok("GET", "/log/entries")["entries"]))
    assert not re.search(rb"Ann|Bob|" + table.encode(), entries)


def test_the_log_cannot_be_rewritten_in_the_database(server: Server, meet: Meet) -> None:
    ann = meet("Ann")
    proof_of(ann, entry_of(ann, sit_down(ann, meet("Bob"))))
    kept = kept_by(server)
    assert kept.refuses("update log_entries set entry = hash")
    assert kept.refuses("update log_entries set n = n + 1000000")
    assert kept.refuses("delete from log_entries")
