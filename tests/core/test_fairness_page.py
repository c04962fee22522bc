"""The page about fairness: every worked value is what the code computes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from facedown.core.chance import (
    Stream,
    clock_stream,
    deal_key,
    entropy_commitment,
    forfeit_stream,
    machine_stream,
    pick_commitment,
    seed_commitment,
    table_nonce,
)
from facedown.core.fairness import CLOCK, MACHINE
from facedown.core.record import signed_digest
from facedown.proof.checks import signed

PAGE: Final = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
GAME, SEED = "T7K2M9QX", bytes(range(32))
ENTROPY: Final = tuple(bytes([each]) * 32 for each in (0xA0, 0xA1, 0xA2))


def five(stream: Stream) -> str:
    return " ".join(str(stream.below(10)) for _ in range(5))


def test_the_worked_values_are_right() -> None:
    key = deal_key(SEED, GAME, ENTROPY)
    small = {"format": "facedown/1", "seats": ["Ann", "Bo"]}
    computed = [
        seed_commitment(GAME, SEED).hex(),
        entropy_commitment(GAME, 2, ENTROPY[1]).hex(),
        key.hex(),
        pick_commitment(GAME, 7, 1, "C", b"\x11" * 32).hex(),
        table_nonce(key, MACHINE, 3, 2).hex(),
        table_nonce(key, CLOCK, 3, 2).hex(),
        five(machine_stream(key, 3, 2)),
        five(clock_stream(key, 3, 2)),
        five(forfeit_stream(key, 3, 2, [b"\x11" * 32, b"\x22" * 32])),
        signed_digest({**small, "signed": "left out"}).hex(),
        json.loads(signed(json.dumps(small), SEED))["signed"]["key"],
    ]
    written = re.findall(r"^\| .* \| `([0-9a-f ]+)` \|$", PAGE.partition("Worked values")[2], re.MULTILINE)
    assert written == computed
