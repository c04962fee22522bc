"""The documents are true: their commands are run, their transcripts compared, their programs executed.

`python -m tests.test_docs` writes the transcripts anew, from what was typed in them.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import NamedTuple

import pytest

import facedown
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
DOCUMENTS = [*PAGES, *(ROOT / name for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"))]
FENCED = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
COMMAND = re.compile(r"(?:\./)?facedown(?= |$)")
SERVES = re.compile(r"(?:\./)?facedown(?: serve\b.*)?")
PROMPT = "> "
ANSWERS = "\nresign\nyes\n" * 12
"""What is typed at a table that a document opens: enough for every seat to hand over and give up."""


class Block(NamedTuple):
    """A fenced block of a document."""

    kind: str
    text: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [Block(found["kind"], found["text"]) for found in FENCED.finditer(text)]


def commands(page: Path) -> list[str]:
    lines = (line for block in blocks(page) if block.kind == "sh" for line in block.text.splitlines())
    return [line for line in lines if COMMAND.match(line)]


def transcripts() -> list[tuple[Path, Block]]:
    return [(page, block) for page in PAGES for block in blocks(page) if block.kind == "console"]


def environment(folder: Path, paths: tuple[Path, ...] = ()) -> dict[str, str]:
    """In a folder in which `./facedown` is ours, and no browser is opened."""
    launcher = folder / "facedown"
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m facedown "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)
    ours = (*paths, Path(facedown.__file__).parent.parent)
    return os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(map(str, ours)),
        "COLUMNS": "80",
        "XDG_DATA_HOME": str(folder / "share"),
        **dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"), ""),
    }


def run(
    command: str, folder: Path, typed: str, paths: tuple[Path, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a command as it is written."""
    return subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment(folder, paths),
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def serve(command: str, folder: Path) -> None:
    """A server as it is started in a document: it can be reached, and goes when it is told to."""
    place = environment(folder)
    process = subprocess.Popen(
        f"exec {command}", shell=True, cwd=folder, env=place, stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdout is not None
    with process.stdout:
        address = process.stdout.readline().removeprefix("Facedown is at ").strip()
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE) as page:
                assert b"<title>" in page.read()
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0


def transcript(block: Block, folder: Path) -> str:
    """What the terminal shows for the command of a transcript when the same is typed again."""
    command, *lines = block.text.splitlines()
    typed = [line.removeprefix(PROMPT) for line in lines if line.startswith(PROMPT)]
    done = run(command.removeprefix("$ "), folder, "".join(f"{line}\n" for line in typed))
    shown = done.stdout.rstrip().removesuffix(PROMPT.strip()).rstrip()
    return f"{command}\n{shown}\n"


def program(first_line: str) -> str:
    """The Python block of a document that begins with this line."""
    found = [block.text for page in PAGES for block in blocks(page) if block.text.startswith(first_line)]
    (text,) = found
    return text


# --- the tests -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_in_the_documents_work(page: Path, tmp_path: Path) -> None:
    for command in commands(page):
        if SERVES.fullmatch(command):
            serve(command, tmp_path)
            continue
        done = run(command, tmp_path, ANSWERS)

        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr}"
        assert "Traceback" not in done.stderr


def test_there_are_commands_and_transcripts_to_check() -> None:
    assert sum(len(commands(page)) for page in PAGES) >= 15
    assert len(transcripts()) >= 2


@pytest.mark.parametrize("block", [block for _, block in transcripts()], ids=lambda block: block.text[2:40])
def test_the_transcripts_in_the_documents_are_real(block: Block, tmp_path: Path) -> None:
    assert transcript(block, tmp_path) == block.text, "`python -m tests.test_docs` writes them anew"


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_the_links_in_the_documents_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8")))

    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_researchers_program_runs(tmp_path: Path) -> None:
    (tmp_path / "study.py").write_text(program("from facedown.core import registry"), encoding="utf-8")

    done = run(f"'{sys.executable}' study.py", tmp_path, "")

    assert done.stderr == ""
    assert done.stdout.splitlines()[1:] == ["1/2 1", "1/2 2"]


def test_the_researchers_solving_program_runs(tmp_path: Path) -> None:
    text = program("from facedown.games.ecard.game import GAME")
    (tmp_path / "solving.py").write_text(text, encoding="utf-8")

    done = run(f"'{sys.executable}' solving.py", tmp_path, "")

    assert done.stderr == ""
    ours, laid_out, learnt = (float(line.split()[0]) for line in done.stdout.splitlines())
    assert ours == pytest.approx(laid_out, abs=1e-9)
    assert 2 * ours - 1 < learnt < 2 * ours - 1 + 0.05


@pytest.fixture
def odds(tmp_path: Path) -> Path:
    """The folder in which the game of the authors' page is installed, as another package would be."""
    package = tmp_path / "site" / "odds"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "game.py").write_text(program("# odds/game.py"), encoding="utf-8")
    (package / "test_game.py").write_text(program("# odds/test_game.py"), encoding="utf-8")
    (package / "page.md").write_text(program("# Odds"), encoding="utf-8")
    entry = program("[project.entry-points").replace("project.entry-points.", "").replace('"', "")
    about = package.parent / "odds-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odds\nVersion: 1\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(entry, encoding="utf-8")
    return package.parent


def test_the_authors_game_keeps_the_contract_and_does_not_leak(odds: Path, tmp_path: Path) -> None:
    done = run(f"'{sys.executable}' -m pytest -q site/odds/test_game.py", tmp_path, "", (odds,))

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "command",
    [
        "facedown rules odds 'odds(wins=2)'",
        "facedown play odds --record odds.json && facedown replay odds.json && facedown verify odds.json",
        "facedown simulate odds --games 20 --seed text --jobs 1",
    ],
)
def test_the_authors_game_is_found_and_played(command: str, odds: Path, tmp_path: Path) -> None:
    done = run(command, tmp_path, ANSWERS, (odds,))

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Odds" in done.stdout


def rewrite() -> None:
    """Put what the terminal really shows into the transcripts of all documents."""
    import tempfile

    for page, block in transcripts():
        with tempfile.TemporaryDirectory() as folder:
            shown = transcript(block, Path(folder))
        text = page.read_text(encoding="utf-8").replace(block.text, shown)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    rewrite()
