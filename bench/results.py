"""The results that are kept, each with its command, machine and date: `docs/measured-scale.json`."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).parent.parent / "docs" / "measured-scale.json"


def read_results() -> dict[str, Any]:
    """All of them, by name."""
    return dict(json.loads(RESULTS.read_text(encoding="utf-8"))) if RESULTS.exists() else {}


def keep(name: str, result: Any) -> None:
    """Write one down, in place of an older one of its name."""
    program, *arguments = sys.argv
    entry = {
        "command": " ".join(("python", f"bench/{Path(program).name}", *arguments)),
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} × {platform.machine()}, Python {platform.python_version()}",
        "result": result,
    }
    text = json.dumps({**read_results(), name: entry}, indent=1, sort_keys=True, ensure_ascii=False)
    RESULTS.write_text(f"{text}\n", encoding="utf-8")
