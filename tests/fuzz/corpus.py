"""The corpus: real inputs of each target and those that once broke something, one JSON text in each line.

`python -m tests.fuzz.make` writes it. Characters stand for bytes (Latin-1), so that any bytes can be kept.
"""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent / "corpus"
RECORDS = Path(__file__).parents[1] / "records"


def entries(target: str) -> list[bytes]:
    lines = (HERE / f"{target}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line).encode("latin-1") for line in lines]


def write(target: str, found: list[bytes]) -> None:
    lines = [json.dumps(each.decode("latin-1")) for each in dict.fromkeys(found)]
    (HERE / f"{target}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
