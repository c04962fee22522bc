"""Runs tests again whenever a file changes: `./test --watch [ARGS]`; Ctrl-C ends it.

With ARGS, always pytest with these. Without, the tests of what has changed: those beside a module, or the
checks of the browser's code.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Final

BROWSER: Final = Path("tests/web/shell/test_code.py")
_SUFFIXES: Final = frozenset({".css", ".js", ".md", ".mjs", ".po", ".py", ".toml"})
_PAUSE_S: Final = 0.3


def snapshot(root: Path) -> dict[Path, int]:
    """When each file was changed, by its path below the root."""
    found = {}
    for path in (path for folder in ("src", "tests") for path in (root / folder).rglob("*")):
        if path.suffix in _SUFFIXES and "node_modules" not in path.parts:
            try:
                found[path.relative_to(root)] = path.stat().st_mtime_ns
            except OSError:  # an editor is just replacing it
                continue
    return found


def nearest_tests(path: Path, root: Path) -> Path | None:
    """The tests of a file: itself, the test of its module, or the nearest folder; None if it has none."""
    if path.suffix in (".css", ".js", ".mjs"):
        return BROWSER
    if path.name.startswith("test_") and path.suffix == ".py":
        return path
    folder = Path("tests", *path.parent.parts[2 if path.parts[0] == "src" else 1 :])
    if (root / folder / f"test_{path.stem}.py").is_file():
        return folder / f"test_{path.stem}.py"
    while not any((root / folder).glob("test_*.py")):
        folder = folder.parent
    return folder if folder != Path("tests") else None


def main(arguments: list[str], root: Path) -> None:
    """Watch, and run tests, until a signal ends it."""
    known = snapshot(root)
    if arguments:
        subprocess.run(["pytest", *arguments], cwd=root, check=False)
    print("watching src and tests; Ctrl-C ends it", flush=True)
    while True:
        time.sleep(_PAUSE_S)
        now = snapshot(root)
        changed = sorted(path for path in now.keys() | known.keys() if now.get(path) != known.get(path))
        known = now
        if changed:
            nearest = {nearest_tests(path, root) for path in changed} - {None}
            chosen = arguments or sorted(map(str, nearest))
            print(
                f"\n{', '.join(map(str, changed[:4]))}: {' '.join(chosen) or 'no tests of their own'}",
                flush=True,
            )
            if chosen:
                subprocess.run(["pytest", "-q", *chosen], cwd=root, check=False)


if __name__ == "__main__":
    try:
        main(sys.argv[1:], Path(__file__).parents[1])
    except KeyboardInterrupt:
        sys.exit(130)
