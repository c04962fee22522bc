"""Writes the corpus from the stored conversations and records: `python -m tests.fuzz.make`.

Of inputs with the same shape the shortest is kept, and all of `BROKE`. Run it when messages or records
change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from facedown.core import registry
from facedown.core.record import Record
from facedown.study.explore import explorer_of
from tests.fuzz import corpus
from tests.fuzz.mutate import parsed, slots
from tests.server.conversation.record import GOLDEN

MOST = 30
BROKE: dict[str, list[bytes]] = {
    "server_message": [b'{"t":"nak","id":' + b"[" * 1500],  # a RecursionError in every client
    "client_message": [b'{"t":"cmd","id":"a","do":"' + b"x" * 3900 + b'"}'],  # was quoted as a whole
    "rules": [b"\xff" * 1000, b"davenport(" + b"x=1," * 400 + b")"],
    "record": [b'{"format": "facedown/1", "result": {"score": [NaN, 1]}}'],  # is no JSON, but was read
    "name": [b"xW\x81\xcc\x81"],  # was another name when it was cleaned again
}
"""Inputs that broke a promise once; each has been fixed."""


def shape(entry: bytes) -> Any:
    """What inputs that lead the same way have in common: their keys, and the words that say what they are."""
    value = parsed(entry)
    if not isinstance(value, dict):
        return entry
    words = tuple(str(value.get(key)) for key in ("t", "k", "do", "code", "game", "kind", "call"))
    return words, frozenset(str(key) for _, key in slots(value) if isinstance(key, str))


def shortest(found: Iterable[bytes]) -> list[bytes]:
    kept: dict[Any, bytes] = {}
    for each in sorted(found, key=len):
        kept.setdefault(shape(each), each)
    return list(kept.values())[:MOST]


def conversations() -> dict[str, list[bytes]]:
    """Messages and calls of the stored conversations, by target."""
    found: dict[str, list[bytes]] = {"client_message": [], "server_message": [], "record": [], "call": []}
    for file in sorted(GOLDEN.glob("*.txt")):
        call: tuple[str, str] | None = None
        for line in file.read_text("utf-8").splitlines():
            asked = re.match(r"> (GET|POST|PUT|PATCH|DELETE) (/api/v1/\S*)", line)
            if asked is not None:
                call = (asked[1], asked[2])
            value = parsed(line[2:].encode()) if line[:2] in ("> ", "< ") else None
            if not isinstance(value, dict):
                continue
            text = line[2:].encode()
            if "t" in value and line[0] == ">":
                found["client_message"].append(text)
            elif "t" in value:
                found["server_message"].append(text)
            elif "format" in value:
                found["record"].append(text)
            elif line[0] == ">" and call is not None:
                sent = {"call": f"{call[0]} {call[1]}", "body": value}
                found["call"].append(json.dumps(sent).encode())
                call = None
    return found


def texts_of_rules() -> list[bytes]:
    found = []
    for name in registry.names():
        kind = registry.get(name).rules
        found += [str(kind.of(preset.name)) for preset in kind.presets]
        found += [f"{option.name}={option.write(kind.of().value(option))}" for option in kind.options]
    return [each.encode() for each in (*found, "", "davenport(pass=0)", "purse(purse=9999,max_stake=7)")]


def texts_of_positions() -> list[bytes]:
    explorers = [each for each in map(explorer_of, registry.names()) if each is not None]
    parts = [f"{option.name}=1" for each in explorers for option in (*each.positions, *each.habits)]
    parts += [",".join(parts), "round=5,score=6:5,play=2", "side=slave,chances=40"]
    return [each.encode() for each in parts]


def main() -> None:
    talked = conversations()
    records = [
        line.encode()
        for name in registry.names()
        for line in (corpus.RECORDS / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    picks = {pick for line in records for joint in Record.read(line).picks for pick in joint if pick}
    found = {
        **{target: shortest(entries) for target, entries in talked.items()},
        "record": shortest(talked["record"]) + sorted(records, key=len)[:: len(records) // 8],
        "rules": texts_of_rules(),
        "position": texts_of_positions(),
        "pick": [each.encode() for each in (*sorted(picks)[:MOST], "resign", " q ", "", "10", "emperor")],
        "name": [each.encode() for each in ("Ann", "Ａnn", "Αnn", "山田", "Zoë", "🂡", "x\u0301")],
        "frames": [
            *(b"\x81\x82\0\0\0\0hi", b"\x81\xfe\0\x80\1\2\3\4" + bytes(128)),
            *(b"\x88\x80\0\0\0\0", b"\x01\x80abcd\x80\x80abcd"),
        ],
    }
    for target, entries in found.items():
        corpus.write(target, entries + BROKE.get(target, []))


if __name__ == "__main__":
    main()
