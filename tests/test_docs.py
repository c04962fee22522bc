"""The documents are true: their commands are run, their transcripts compared, their programs executed.

`python -m tests.test_docs` rewrites the transcripts from what was typed in them.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from string import Template
from typing import NamedTuple

import pytest

import facedown
from facedown.scaffold.write import ScaffoldName, write_scaffold
from tests.cli.command import run_together
from tests.patience import PATIENCE
from tests.server.running import Server

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("lab/docs/*.md"))]
DOCUMENTS = sorted({*PAGES, *ROOT.glob("*.md")})
FENCED = re.compile(
    r"(?:^<!-- not run: (?P<why>[^>]+) -->\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
COMMAND = re.compile(r"(?:\./)?facedown(?= |$)")
SERVES = re.compile(r"(?:\./)?facedown(?: serve\b.*)?")
PROMPT = "> "
ANSWERS = "\nresign\nyes\n" * 12
"""What is typed at a table that a document opens: enough for every seat to hand over and give up."""


DATA = frozenset({"", "json", "markdown", "po", "text", "toml"})
"""Kinds of blocks that show something, and are not to be run."""
FILE = re.compile(r"# [\w./-]+\.py\n")
SERVER = "https://cards.example"
"""The server in the programs of the documents; they are run with a real one."""
CHECKED = (
    'import facedown\n\nmatch = facedown.new("ecard", rules="decisive", seats=("Ann", "Bo"), seed="oak")',
    "import facedown\nfrom facedown import Learner",
    'import facedown\n\nmatch = facedown.new("ecard", seats=("Ann", "Bo"), seed="oak")\nmatch.seal(1, "E")',
    "import facedown\n\n\nclass Elsewhere",
)
"""First lines of programs whose output has a test of its own: the tour's is in tests/library/test_face.py,
those of the README in tests/library/test_examples.py."""


class Block(NamedTuple):
    """A fenced block of a document; `why` it is not run, if it is not."""

    kind: str
    text: str
    why: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [Block(found["kind"], found["text"], found["why"] or "") for found in FENCED.finditer(text)]


def commands(page: Path) -> list[str]:
    lines = (
        line
        for block in blocks(page)
        if block.kind == "sh" and not block.why
        for line in block.text.splitlines()
    )
    return [line for line in lines if COMMAND.match(line)]


def transcripts() -> list[tuple[Path, Block]]:
    return [(page, block) for page in PAGES for block in blocks(page) if block.kind == "console"]


def programs(page: Path) -> list[str]:
    """The programs of a document in their order; a later one may go on with what an earlier one has made."""
    runnable = (block.text for block in blocks(page) if block.kind == "python" and not block.why)
    return [text for text in runnable if not FILE.match(text) and not text.startswith(CHECKED)]


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
    """A server as it is started in a document: it can be reached, and stops on request."""
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
    others = [command for command in commands(page) if not SERVES.fullmatch(command)]
    for command in commands(page):
        if command not in others:
            serve(command, tmp_path)
    arguments = [(shlex.split(command)[1:], ANSWERS) for command in others]
    for command, done in zip(others, run_together(arguments, tmp_path, environment(tmp_path)), strict=True):
        fine = (0, 3) if " verify " in command else (0,)  # no server proves a game on this device
        assert done.status in fine, f"{command}\n{done.out[-2000:]}\n{done.err}"
        assert "Traceback" not in done.err


def test_there_are_commands_and_transcripts_to_check() -> None:
    assert sum(len(commands(page)) for page in PAGES) >= 15
    assert len(transcripts()) >= 2


@pytest.mark.parametrize("block", [block for _, block in transcripts()], ids=lambda block: block.text[2:40])
def test_the_transcripts_in_the_documents_are_real(block: Block, tmp_path: Path) -> None:
    assert transcript(block, tmp_path) == block.text, "`python -m tests.test_docs` rewrites them"


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_the_links_in_the_documents_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    dead = [target for target, _ in targets if target and not (page.parent / target).exists()]

    assert dead == []
    for target, anchor in targets:
        if anchor:
            assert anchor in anchors(page.parent / target if target else page), f"{target}#{anchor}"


def anchors(page: Path) -> set[str]:
    """The names of a document's headings in links."""
    headings = HEADING.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_run_or_says_why_not(page: Path) -> None:
    for block in blocks(page):
        shows_commands = any(COMMAND.match(line) for line in block.text.splitlines())
        if block.why or block.kind in ("console", "python") or (block.kind in DATA and not shows_commands):
            continue
        assert block.kind == "sh", f"<!-- not run: why --> is missing before {block.text[:60]!r}"
        other = [line for line in block.text.splitlines() if line and not COMMAND.match(line)]
        assert other == [], f"<!-- not run: why --> is missing before {other}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server."""
    running = Server(tmp_path_factory.mktemp("server") / "data").start()
    yield running.base
    running.close()


@pytest.mark.parametrize("page", [page for page in PAGES if programs(page)], ids=lambda page: page.name)
def test_the_programs_in_the_documents_run(
    page: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    text = "\n".join(programs(page))
    if SERVER in text:
        text = text.replace(SERVER, request.getfixturevalue("server"))
    (tmp_path / "program.py").write_text(text, encoding="utf-8")

    done = run(f"'{sys.executable}' -W error program.py", tmp_path, "")

    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.parametrize("name", ["ten_lines", "bot_in_twenty_lines"])
def test_the_readme_shows_the_examples_that_are_there(name: str) -> None:
    text = (ROOT / f"examples/{name}.py").read_text(encoding="utf-8")
    shown = [block.text for block in blocks(ROOT / "README.md")]

    assert text.partition('"""\n\n')[2] in shown


def test_the_readme_and_the_first_page_list_no_links_twice() -> None:
    """The README leads to the first page of the documentation, which leads to all others."""
    readme, first = (
        {(page.parent / target).resolve() for target, _ in LINK.findall(page.read_text(encoding="utf-8"))}
        for page in (ROOT / "README.md", ROOT / "docs/index.md")
    )

    assert ROOT / "docs/index.md" in readme
    assert {path.name for path in readme & first} <= {"credits.md"}
    assert {*(ROOT / "docs").glob("*.md")} - {ROOT / "docs/index.md"} <= first


def test_every_picture_is_small_and_shown() -> None:
    pictures = [*sorted((ROOT / "docs/pictures").iterdir()), *sorted((ROOT / ".github").glob("*.webp"))]
    shown = "".join(page.read_text(encoding="utf-8") for page in DOCUMENTS)

    assert [each.name for each in pictures if f"/{each.name})" not in shown] == []
    assert max(each.stat().st_size for each in pictures) < 400_000
    assert sum(each.stat().st_size for each in pictures) < 1_500_000


def test_the_workflow_runs_every_check_on_pythons_that_are_declared() -> None:
    workflow = (ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pythons = re.findall(r'"(3\.\d+)"', workflow)

    assert workflow.endswith("- run: ./test\n")
    assert "secrets" not in workflow
    assert len(pythons) >= 3
    assert {f"Programming Language :: Python :: {each}" for each in pythons} <= {*project["classifiers"]}


def test_the_researchers_programs_tell_the_truth(tmp_path: Path) -> None:
    (tmp_path / "solving.py").write_text(
        program("import facedown\nfrom facedown import Learner"), encoding="utf-8"
    )

    done = run(f"'{sys.executable}' solving.py", tmp_path, "")

    ours, laid_out, learnt, sure = (float(line.split()[0]) for line in done.stdout.splitlines())
    assert ours == pytest.approx(laid_out, abs=1e-9)
    assert 2 * ours - 1 < learnt < 2 * ours - 1 + 0.05
    assert sure <= 2 * ours - 1 + 1e-9


def imported(text: str) -> set[str]:
    """The modules of ours that a program imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        found |= {name for name in names if name.partition(".")[0] in ("facedown", "facedown_lab")}
    return found


def shown_programs() -> list[tuple[str, str]]:
    """Every Python program that people read: in documents, examples, notebooks and templates."""
    found = [
        (page.name, block.text) for page in DOCUMENTS for block in blocks(page) if block.kind == "python"
    ]
    found += [
        (path.name, path.read_text(encoding="utf-8"))
        for path in sorted({*ROOT.glob("examples/**/*.py"), *ROOT.glob("lab/examples/*.py")})
    ]
    for path in sorted(ROOT.glob("*/**/*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        found += [(path.name, "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    scaffold = Path(facedown.__file__).parent / "scaffold"
    fields = asdict(ScaffoldName("odds", "Odds", "Odds", "O", "ecard"))
    for path in sorted(scaffold.rglob("*.py.txt")):
        found.append((path.name, Template(path.read_text(encoding="utf-8")).substitute(fields)))
    return found


PUBLIC = re.compile(r"facedown(\.testing)?|facedown_lab\.(adapters(\.\w+)?|batch|exploit|testing)")
"""What programs may import; an adapter is one module for each library."""


def test_nothing_that_people_read_imports_more_than_the_public_face() -> None:
    deeper = [
        f"{name}: {module}"
        for name, text in shown_programs()
        for module in imported(text)
        if not PUBLIC.fullmatch(module)
    ]

    assert len(shown_programs()) > 20
    assert deeper == []


@pytest.fixture(scope="module")
def odds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the game of the authors' page is installed, as another package would be."""
    site = tmp_path_factory.mktemp("odds") / "site"
    package = site / "odds"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    for name in ("game", "numbers", "bots", "text", "terminal", "solve", "review"):
        (package / f"{name}.py").write_text(program(f"# odds/{name}.py"), encoding="utf-8")
    (package / "page.md").write_text(program("# Odds"), encoding="utf-8")
    entry = (
        program('[project.entry-points."facedown.games').replace("project.entry-points.", "").replace('"', "")
    )
    about = site / "odds-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odds\nVersion: 1\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(entry, encoding="utf-8")
    return site


def test_the_authors_game_is_the_one_that_new_game_writes(tmp_path: Path) -> None:
    """That one keeps the contract and does not leak: tests/cli/test_new.py runs the same suite on it."""
    name = ScaffoldName("odds", "Odds", "Odds", "O")
    for path in write_scaffold("game", name, tmp_path / "odds"):
        written = path.read_text(encoding="utf-8")
        if path.name in ("game.py", "bots.py", "text.py"):
            assert program(f"# odds/{path.name}") == f"# odds/{path.name}\n{written}"
        elif path.name == "test_game.py":
            assert program("# test_game.py") == f"# test_game.py\n{written}"
        elif path.name == "page.md":
            assert program("# Odds") == written


def test_the_authors_numbers_keep_their_shape(odds: Path, tmp_path: Path) -> None:
    imports = "from odds.numbers import NumericOdds; from facedown.testing import CONTRACT"
    done = run(f"'{sys.executable}' -c '{imports}; CONTRACT[-1](NumericOdds())'", tmp_path, "", (odds,))

    assert (done.returncode, done.stderr) == (0, "")


def test_the_authors_game_is_found_and_played(odds: Path, tmp_path: Path) -> None:
    commands = [
        "facedown rules odds 'usual(wins=2)'",
        "facedown play odds --record odds.json",
        "facedown replay odds.json && { facedown verify odds.json || [ $? -eq 3 ]; }",
        "facedown arena odds --bots uniform --games 20 --seed text --jobs 1",
        "facedown arena odds --games 20 --seed text --jobs 1 --records games.jsonl",
        "facedown review games.jsonl --line 1",
        "facedown solve odds",
        "facedown solve odds --at score=2:1",
    ]
    done = run(" && echo ---- && ".join(commands), tmp_path, ANSWERS, (odds,))

    assert done.returncode == 0, done.stdout + done.stderr
    parts = dict(zip(commands, done.stdout.split("----\n"), strict=True))
    assert "Who wins 2 first" in parts[commands[0]]
    assert "✓ picks" in parts[commands[2]]
    assert "repeater" in parts[commands[4]]
    assert "Judged by the equilibrium" in parts[commands[5]]
    assert "75.0 %" in parts[commands[7]]


def test_the_authors_full_screen_table_is_drawn(odds: Path, tmp_path: Path) -> None:
    text = """
import facedown
from facedown.core.parts.scene import Scenes

match = facedown.new("odds")
match.seal(1, "1")
step = match.seal(2, "2")
scenes = Scenes("odds", "en")
print(scenes.scene(match.view(1), ("Ann", "Bo")).chairs[0].account)
print([held.face.name for held in scenes.hand(match.view(1), match.legal(1))])
print(scenes.revealed_cards([event.seen_by(1) for event in step.events]))
"""
    (tmp_path / "drawn.py").write_text(text, encoding="utf-8")

    done = run(f"'{sys.executable}' drawn.py", tmp_path, "", (odds,))

    assert done.stdout.splitlines() == ["1 won", "['one finger', 'two fingers']", "('1', '2')"], done.stderr


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
