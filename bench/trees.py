"""Two versions of the engine side by side: this tree, and another one (`bench/engine.py --against`).

Each tree has a process of its own, which runs a lap on request; the laps take turns, so that a
slow moment hits both. Records are replayed by `facedown replay --json` of each: the bytes must be the same.
"""

from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench.interpreter import interpreter
from bench.laps import Course, Lap, lap, stay_on_one_core, times_as_fast

ROOT: Final = Path(__file__).resolve().parent.parent
_GAMES: Final = ("games", "games_with_views", "games_with_record")
_KINDS: Final = 4


def compare(commit: str, course: Course) -> dict[str, Any]:
    """How many times as fast this tree is as the commit, or a checkout: playing, and replaying records."""
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        trees = {"this": ROOT, "other": _laid_out(commit, Path(folder) / "other")}
        return {
            "python": interpreter(),
            "commit": commit,
            "laps": course.laps,
            "seconds_a_lap": course.seconds,
            "playing": _playing(trees, course),
            "replay": _replaying(trees, course, Path(folder)),
        }


def _laid_out(commit: str, folder: Path) -> Path:
    """The sources of a commit; of a checkout, where it is a folder."""
    if Path(commit).is_dir():
        return Path(commit).resolve()
    command = ["git", "archive", "--format=zip", commit, "src"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder)
    return folder


def _environment(tree: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join((str(tree / "src"), str(ROOT)))}


# --- playing ---------------------------------------------------------------------------------------------


def _playing(trees: dict[str, Path], course: Course) -> list[dict[str, Any]]:
    with ExitStack() as stack:
        run = {name: stack.enter_context(_worker(tree)) for name, tree in trees.items()}
        return [_raced(run, kind, games, course) for kind in range(_KINDS) for games in _GAMES]


def _raced(run: dict[str, Callable[..., Any]], kind: int, games: str, course: Course) -> dict[str, Any]:
    laps: dict[str, list[Lap]] = {name: [] for name in run}
    label = ""
    for number in range(course.laps + 1):
        for name in sorted(run, reverse=bool(number % 2)):
            label, *lapped = run[name](kind, games, course.seconds if number else min(course.seconds, 0.05))
            laps[name] += [Lap(*lapped)] if number else []  # the first one only warms up
    print(".", end="", flush=True, file=sys.stderr)
    return {
        "name": f"{label}: {games.replace('_', ' ')}",
        **{f"{name}_us": 1e6 * median(each.seconds / each.decisions for each in laps[name]) for name in run},
        "times_as_fast": times_as_fast(laps["this"], laps["other"]),
    }


@contextmanager
def _worker(tree: Path) -> Iterator[Callable[..., Any]]:
    """A process that plays laps with the engine of a tree."""
    command = [sys.executable, "-m", "bench.trees"]
    with subprocess.Popen(
        command, env=_environment(tree), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        source, answers = process.stdin, process.stdout
        assert source is not None, "a pipe was requested"
        assert answers is not None, "a pipe was requested"

        def run(*what: object) -> Any:
            print(json.dumps(what), file=source, flush=True)
            return json.loads(answers.readline())

        yield run
        source.close()


def work(orders: Iterable[str]) -> None:
    """Run the requested laps, one a line."""
    from bench import our_own

    stay_on_one_core()
    kinds = (our_own.ECARD, *our_own.DAVENPORT)
    plays = {(kind, games): getattr(our_own, games)(kind) for kind in kinds for games in _GAMES}
    for order in orders:
        number, games, seconds = json.loads(order)
        kind = kinds[number]
        print(json.dumps([str(kind), *lap(plays[kind, games], seconds)]), flush=True)


# --- replaying -------------------------------------------------------------------------------------------


def _replaying(trees: dict[str, Path], course: Course, folder: Path) -> list[dict[str, Any]]:
    from bench import our_own

    rows, records = [], course.records
    for kind in (our_own.ECARD, *our_own.DAVENPORT):
        path = our_own.record_file(kind, records, folder)
        spent: dict[str, list[float]] = {name: [] for name in trees}
        for number in range(course.replays):
            printed = set()
            for name in sorted(trees, reverse=bool(number % 2)):
                seconds, text = _replayed(trees[name], path)
                spent[name].append(seconds)
                printed.add(text)
            assert len(printed) == 1, "both print the same bytes"
            print(".", end="", flush=True, file=sys.stderr)
        ratios = [other / this for this, other in zip(spent["this"], spent["other"], strict=True)]
        speeds = {f"{name}_per_second": records / median(each) for name, each in spent.items()}
        rows.append({"name": str(kind), "records": records, **speeds, "times_as_fast": median(ratios)})
    return rows


def _replayed(tree: Path, path: Path) -> tuple[float, bytes]:
    """Processor seconds of `facedown replay --json` in one process, its start included; what it printed."""
    command = [sys.executable, "-m", "facedown", "replay", str(path), "--json", "--jobs", "1"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, env=_environment(tree))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout


# --- the report ------------------------------------------------------------------------------------------


def report(found: dict[str, Any]) -> Iterable[str]:
    """All of it in columns."""
    yield f"Python {found['python']}"
    yield f"Medians of {found['laps']} laps of {found['seconds_a_lap']} s, run in turn; processor time."
    yield f"  {'µs a decision':<52} {'this tree':>10} {found['commit'][:10]:>10}"
    for row in found["playing"]:
        yield f"  {row['name']:<52} {row['this_us']:>10.2f} {row['other_us']:>10.2f} {_times(row)}"
    yield ""
    yield f"  {'replay --json, records/s, one process':<52} {'this tree':>10} {found['commit'][:10]:>10}"
    for row in found["replay"]:
        speeds = f"{row['this_per_second']:>10,.0f} {row['other_per_second']:>10,.0f}"
        yield f"  {row['name']:<52} {speeds} {_times(row)}"


def _times(row: dict[str, Any]) -> str:
    return f"{row['times_as_fast']:>7.2f} ×"


if __name__ == "__main__":
    work(sys.stdin)
