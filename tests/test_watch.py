"""`./test --watch`: which tests a change runs, and that it runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.watch import nearest_tests
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("tests/core/test_match.py", "tests/core/test_match.py"),
        ("src/facedown/core/match.py", "tests/core/test_match.py"),
        ("src/facedown/games/ecard/plays.py", "tests/games/ecard"),
        ("src/facedown/core/locale/en.po", "tests/core"),
        ("src/facedown/web/app/styles/base.css", "tests/web/shell/test_code.py"),
        ("src/facedown/games/ecard/web/table.js", "tests/web/shell/test_code.py"),
        ("src/facedown/files.py", "tests/test_files.py"),
        ("tests/server/conftest.py", "tests/server"),
        ("src/facedown/version.py", "None"),
    ],
)
def test_the_tests_of_a_file_are_the_nearest(changed: str, tests: str) -> None:
    assert str(nearest_tests(Path(changed), ROOT)) == tests


def test_a_change_runs_its_test(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    code += f"from pathlib import Path; from scripts import watch; watch.main([], Path({str(tmp_path)!r}))"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        assert "watching" in watching.stdout.readline()
        (tmp_path / "tests/test_new.py").write_text("def test_new() -> None: ...\n", encoding="utf-8")
        said = next(line for line in watching.stdout if "passed" in line)
        watching.terminate()
        watching.wait(PATIENCE)

    assert said.startswith("1 passed")
