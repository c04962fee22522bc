"""What is measured for the page of what is known: commands, playing them, and the tables of their results.

Owns the file `docs/measured.json`, which holds the command, the machine and the date of every measurement.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
MEASURED: Final = ROOT / "docs" / "measured.json"


def _arena(game: str, games: int, *options: str) -> tuple[str, ...]:
    return ("arena", game, *options, "--games", str(games), "--seed", "knowledge", "--json")


STRONG: Final = ("expert", "careful")
"""The two machines that are compared, the first less the second."""
_DUEL: Final = ("--bots", ",".join(STRONG), "--heroes", STRONG[0])
"""One of the first against a field of the second."""
DECK_MACHINES: Final = ("steady", "expert", "careful")
"""Whose distance from the exact answer is measured."""
_MACHINES: Final = ("--bots", "random,highest,lowest,careful,steady,expert")
"""The machines of the second game, without its characters and the blind one, which plays as `random`."""
DUELS: Final = {
    "davenport_duel": _arena("davenport", 200_000, "--seats", "2", *_DUEL),
    "davenport_duel_aces": _arena("davenport", 200_000, "--rules", "aces", "--seats", "2", *_DUEL),
    "davenport_duel_four": _arena("davenport", 100_000, "--seats", "4", *_DUEL),
    "davenport_duel_seven": _arena("davenport", 30_000, "--seats", "7", *_DUEL),
}
MEASUREMENTS: Final = {
    "ecard": _arena("ecard", 300),
    "ecard_decisive": _arena("ecard", 300, "--rules", "decisive"),
    "davenport": _arena("davenport", 20_000, "--seats", "2", *_MACHINES),
    "davenport_aces": _arena("davenport", 20_000, "--rules", "aces", "--seats", "2", *_MACHINES),
    **DUELS,
}
"""The measured games, as commands of `facedown`."""
DECKS: Final = {
    "decks_small": ("--decks", "0,1,2,3,4", "--seconds", "12"),
    "decks_large": (
        *("--decks", "5,6,7,8,9,10", "--seconds", "12", "--ask", "250000"),
        *("--most", "400000000", "--gpu"),
    ),
}
"""Small decks of the second game, as options of `lab.scripts.knowledge_decks`."""
SAFETY: Final = "safety"
"""The curves of safe exploitation: what `lab.scripts.knowledge_safety` prints."""
COMMANDS: Final = {
    **{name: ("facedown", *options) for name, options in MEASUREMENTS.items()},
    **{name: ("lab.scripts.knowledge_decks", *options) for name, options in DECKS.items()},
    SAFETY: ("lab.scripts.knowledge_safety",),
}
"""Everything that is measured: a module to run, and its options."""


def command_of(name: str) -> str:
    """A measurement's command, as it is typed."""
    module, *options = COMMANDS[name]
    return " ".join(("facedown" if module == "facedown" else f"python -m {module}", *options))


class Share(NamedTuple):
    """A measured share, and half of its 95 % interval."""

    value: float
    error: float


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [" | ".join(heads), "|".join("---" for _ in heads), *(" | ".join(row) for row in rows)]
    return "\n".join(f"| {line} |" if "---" not in line else f"|{line}|" for line in lines)


def measure(kept: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Measurements whose command is not the one that was kept, made now; after each, all of them."""
    for name, command in COMMANDS.items():
        text = command_of(name)
        if kept.get(name, {}).get("command") == text:
            continue
        print(text, file=sys.stderr)
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=ROOT.parent, capture_output=True, text=True, check=True
        )
        today = datetime.now(UTC).date().isoformat()
        lines = [json.loads(line) for line in done.stdout.splitlines() if name in DECKS]
        result = lines or json.loads(done.stdout)
        kept = {**kept, name: {"command": text, "machine": machine(), "date": today, "result": result}}
        yield kept


def machine() -> str:
    """This machine, in words: the results do not depend on it, the time they take does."""
    names = [line for line in _cpu() if line.startswith("model name")]
    name = names[0].partition(":")[2].strip() if names else platform.processor() or platform.machine()
    return f"{os.cpu_count()} × {name}, Python {platform.python_version()}"


def _cpu() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def read_measured() -> dict[str, Any]:
    """The measurements that are kept."""
    found: dict[str, Any] = json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}
    return found


def measured(name: str, kept: dict[str, Any]) -> Iterator[str]:
    """One measurement: its table, and where it comes from."""
    one = kept[name]
    yield cross_table(one["result"])
    yield f"`{one['command']}`, {one['date']}, on {one['machine']}."


def duels(kept: dict[str, Any]) -> str:
    """One of the first strong machine against a field of the second: the share beside a fair one, and how."""
    rows = []
    for one in (kept[name] for name in DUELS if name in kept):
        result = one["result"]
        share = shares(result)[STRONG]
        fair = f"{100 / result['seats']:.1f} %"
        how = f"`{one['command']}`, {one['date']}, on {one['machine']}"
        rows.append([f"`{result['rules']}`", str(result["seats"] - 1), fair, _in_percent(share), how])
    return table(
        ("rules", f"number of `{STRONG[1]}`", "fair", f"share of `{STRONG[0]}`", "measured by"), rows
    )


def decks(kept: dict[str, Any]) -> str:
    """Small decks: their size, how exact the solution is, and what a best response gains on each machine."""
    rows = []
    for one in (each for name in DECKS if name in kept for each in kept[name]["result"]):
        found = one["machines"]
        rows.append(
            [
                f"{one['suits']} × {len(one['ranks'])} = {one['cards']}",
                str(one["each"]),
                " ".join(("exchange",) * one["exchange"] + ("Ace rules",) * one["ace"]) or "–",
                f"{one['situations']:,}",
                f"{one['meetings']:,}",
                "0",
                f"{50 * one['exploitability']:.1g}",
                f"{one['seconds_laid_out'] + one['seconds_learnt']:.1f}",
                *(f"{50 * found[name]['gain']:z.2f}" if name in found else "–" for name in DECK_MACHINES),
            ]
        )
    heads = ("cards", "each", "options", "information sets", "meetings", "value", "exploitability", "seconds")
    return table((*heads, *(f"gain on `{name}`" for name in DECK_MACHINES)), rows)


def safety(kept: dict[str, Any]) -> str:
    """What the shipped readers win on each habit after some remembered games, and what they risk."""
    found = kept[SAFETY]["result"]["habits"]
    rows = []
    for name, curves in found.items():
        for machine in ("reader", "sage"):
            points = curves[f"{machine}_remembers"]
            rows.append(
                [f"`{machine}`", f"`{name}`", *(f"{gain:z.1f} / {risk:z.1f}" for _, gain, risk in points)]
            )
    counts = [f"{games:.0f} games" for games, _, _ in next(iter(found.values()))["reader_remembers"]]
    return table(("machine", "against", *counts), rows)


def command_and_machine(name: str, kept: dict[str, Any]) -> str:
    """Where a measurement comes from."""
    one = kept[name]
    return f"`{one['command']}`, {one['date']}, on {one['machine']}"


def deck_commands(kept: dict[str, Any]) -> str:
    """Where the decks come from."""
    return "; ".join(command_and_machine(name, kept) for name in DECKS if name in kept)


def shares(result: dict[str, Any]) -> dict[tuple[str, str], Share]:
    """The score of every hero against every field, a draw counting half; at two seats either way round."""
    found = {}
    for each in result["pairings"]:
        score = each["score"]
        share = Share(score["value"], (score["high"] - score["low"]) / 2)
        found[each["hero"], each["field"]] = share
        if result["seats"] == 2:
            found[each["field"], each["hero"]] = Share(1 - share.value, share.error)
    return found


def cross_table(result: dict[str, Any]) -> str:
    """The score of every bot against every other, with 95 % intervals."""
    names, found = result["bots"], shares(result)
    rows = [[one, *(_in_percent(found.get((one, other))) for other in names)] for one in names]
    if set(STRONG) <= set(names):
        ahead = _ahead(found, names)
        rows.append([" less ".join(STRONG), *(_in_percent(ahead.get(field)) for field in names)])
    return table(("score of …, against …", *names), rows)


def _ahead(found: dict[tuple[str, str], Share], fields: Sequence[str]) -> dict[str, Share]:
    """How much more the first of the strong machines wins than the second, by field."""
    both = {field: [found.get((hero, field)) for hero in STRONG] for field in fields}
    return {
        field: Share(one.value - two.value, sqrt(one.error**2 + two.error**2))
        for field, (one, two) in both.items()
        if one is not None and two is not None
    }


def _in_percent(share: Share | None) -> str:
    return "–" if share is None else f"{100 * share.value:z.1f} ± {100 * share.error:.1f} %"
