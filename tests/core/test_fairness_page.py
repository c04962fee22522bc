"""The page about fairness: every worked value is what the code computes, and every kind of link is there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from facedown.core.links import KINDS

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
VALUES: Final = json.loads((ROOT / "tests" / "vectors" / "links.json").read_text(encoding="utf-8"))["bytes"]
SHOWN: Final = {
    "promise of the seed": VALUES["seed_commit"],
    "promise of seat 2": VALUES["entropy_commit"][1],
    "key of the deal": VALUES["table_key"],
    "seal of `C` by seat 1 in decision 7, nonce 32 times `11`": VALUES["pick_commit"],
    "nonce of a machine, decision 3, seat 2": VALUES["machine_nonce_3_2"],
    "nonce of the clock, decision 3, seat 2": VALUES["clock_nonce_3_2"],
    "first five `below(10)` of that machine's stream": " ".join(
        map(str, VALUES["machine_stream_3_2_below_10"])
    ),
    "first five `below(10)` of that clock's stream": " ".join(map(str, VALUES["clock_stream_3_2_below_10"])),
    "digest that is signed for head 5, 32 times `d0`": VALUES["head_digest_5"],
    "its signature, private key `00 01 02 … 1f`": VALUES["head_signature_5"],
    "public key of that private key": VALUES["public_key"],
}


def test_the_worked_values_are_right() -> None:
    written = re.findall(
        r"^\| (.*) \| `([0-9A-Za-z_ -]+)` \|$", PAGE.partition("Worked values")[2], re.MULTILINE
    )
    assert dict(written) == SHOWN


def test_every_kind_of_link_is_explained() -> None:
    assert all(f"`{kind}`" in PAGE for kind in KINDS)


if __name__ == "__main__":
    for name, value in SHOWN.items():
        print(f"| {name} | `{value}` |")
