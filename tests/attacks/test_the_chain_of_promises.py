"""A server that would rather have promised other seeds: its chain only grows, and anyone may keep a copy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import Here
from tests.cli.conftest import here as here
from tests.server.http.client import Caller, Meet, play_out, sit_down
from tests.server.kept import kept_by
from tests.server.running import Server


def chain(caller: Caller) -> list[dict[str, Any]]:
    """The whole chain, downloaded without a session."""
    found: list[dict[str, Any]] = []
    while part := caller.ok("GET", f"/promises?after={len(found)}")["promises"]:
        found += part
    return found


def kept(path: Path, promises: list[dict[str, Any]]) -> str:
    path.write_text(json.dumps({"promises": promises}))
    return str(path)


def test_the_seed_of_every_table_was_promised_and_the_chain_survives_a_kill(
    server: Server, meet: Meet, here: Here, tmp_path: Path
) -> None:
    ann, bob, stranger = meet("Ann"), meet("Bob"), meet()
    table = sit_down(ann, bob)
    before = chain(stranger)
    play_out(table, ann, bob)
    record = tmp_path / "game.json"
    record.write_text(json.dumps(ann.ok("GET", f"/tables/{table}/record")))

    assert here("verify", str(record), "--promises", kept(tmp_path / "chain", before)).status == 3
    server.kill()
    server.start()
    sit_down(meet("Cy"), meet("Dee"))
    after = chain(meet())
    assert after[: len(before)] == before
    assert len(after) > len(before)


def test_a_chain_that_was_changed_afterwards_is_found_out(meet: Meet, here: Here, tmp_path: Path) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    table = sit_down(ann, bob)
    sit_down(meet("Cy"), meet("Dee"))
    play_out(table, ann, bob)
    record = tmp_path / "game.json"
    record.write_text(json.dumps(ann.ok("GET", f"/tables/{table}/record")))
    whole = chain(ann)
    forged = [{**each, "promise": "00" * 32} if each is whole[0] else each for each in whole]
    lies = {"changed": forged, "dropped": whole[1:], "reordered": [whole[1], whole[0], *whole[2:]]}

    for name, lie in lies.items():
        ran = here("verify", str(record), "--promises", kept(tmp_path / name, lie))
        assert (name, ran.status) == (name, 2)
        assert "broken_chain" in ran.err
    ran = here("verify", str(record), "--promises", kept(tmp_path / "empty", []))
    assert ran.status != 0
    assert "not_promised" in ran.out + ran.err


def test_the_chain_cannot_be_rewritten_in_the_database(server: Server, meet: Meet) -> None:
    meet("Ann").make()
    kept = kept_by(server)
    assert kept.refuses("update promises set promise = link")
    assert kept.refuses("delete from promises")
