"""`facedown new game` and `new bot`: what they write passes the suites and plays; bad names are refused."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import facedown
from facedown.scaffold.write import ScaffoldName
from tests.cli.conftest import Here
from tests.patience import PATIENCE
from tests.third_game.goofspiel.game import GAME as GOOFSPIEL


def run(folder: Path, *words: str, path: Path, status: int = 0) -> str:
    """What Python prints in a folder, with another one on its path."""
    ran = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(path), "HOME": str(folder)},
        input="1\n" * 40,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == status, ran.stdout + ran.stderr
    return ran.stdout


def install(folder: Path) -> None:
    """The entry points of a folder's project, as an installer writes them."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = folder / f"{project['name']}-{project['version']}.dist-info"
    about.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(metadata, encoding="utf-8")
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in project["entry-points"].items()
    ]
    (about / "entry_points.txt").write_text("".join(lines), encoding="utf-8")


def test_a_new_game_plays_at_once(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, output, errors = here("new", "game", "thumb_war")
    folder = tmp_path / "thumb_war"
    install(folder)

    assert (status, errors) == (0, "")
    assert "facedown play thumb_war" in output
    assert "passed" in run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", path=folder)
    played = run(tmp_path, "-m", "facedown", "play", "thumb_war", "--record", "game.json", path=folder)
    assert "Thumb war, usual" in played
    assert "wins" in run(tmp_path, "-m", "facedown", "verify", "game.json", path=folder, status=3)
    assert "**T1**" in run(tmp_path, "-m", "facedown", "rules", "thumb_war", path=folder)


def test_a_new_bot_plays_at_once(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, output, errors = here("new", "bot", "wily_fox", "--game", "davenport", "--folder", "fox")
    folder = tmp_path / "fox"

    assert (status, errors) == (0, "")
    assert "--bots wily_fox:WilyFox,uniform" in output
    assert "passed" in run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", path=folder)
    arena = ["arena", "davenport", "--bots", "wily_fox:WilyFox,uniform", "--games", "10", "--jobs", "1"]
    assert "class WilyFox(facedown.Bot[facedown.DavenportView])" in (folder / "wily_fox.py").read_text()
    assert "wily_fox:WilyFox" in run(folder, "-m", "facedown", *arena, path=Path())
    install(folder)
    assert "wily-fox" in run(tmp_path, "-m", "facedown", "bots", "davenport", path=folder)


def test_a_new_bot_is_the_one_that_the_type_checkers_see(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """mypy and pyright check `tests/library`, strictly."""
    monkeypatch.chdir(tmp_path)
    here("new", "bot", "wily", "--game", "ecard")

    checked = Path(__file__).parents[1] / "library" / "wily.py"
    assert (tmp_path / "wily" / "wily.py").read_text() == checked.read_text(encoding="utf-8")


def test_a_bot_of_another_packages_game_has_the_view_of_that_game() -> None:
    name = ScaffoldName.read("wily", facedown.game(GOOFSPIEL).name)

    assert name.view == "GoofspielView"
    assert name.import_view == "\nfrom tests.third_game.goofspiel.game import GoofspielView"
