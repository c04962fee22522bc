"""The public face: what `import facedown` offers, how little it loads, and that names stay what they are."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import facedown
from tests.patience import PATIENCE
from tests.test_docs import blocks

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SNIPPET = HERE / "snippet.txt"
FACE = [
    *("games", "game", "rules", "bots", "new", "play", "play_many", "arena", "solve", "review", "verify"),
    *("replay", "connect", "Match", "Record", "Game", "Rules", "Bot", "Memory", "Outcome", "FacedownError"),
]


def python(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_the_library_page_begins_with_the_snippet() -> None:
    """Formatted, as everything that people read."""
    shown = blocks(ROOT / "docs" / "library.md")[0].text

    assert ast.dump(ast.parse(shown)) == ast.dump(ast.parse(SNIPPET.read_text(encoding="utf-8")))


def test_the_snippet_runs_literally_but_for_the_number_of_games(tmp_path: Path) -> None:
    whole = SNIPPET.read_text(encoding="utf-8")
    fewer = whole.replace("games=10_000", "games=300")
    assert fewer != whole
    (tmp_path / "tour.py").write_text(fewer, encoding="utf-8")

    done = python("tour.py", folder=tmp_path)

    assert done.stderr == ""
    share, emperor, verified, headline, *_ = done.stdout.splitlines()
    value, low, high = map(float, re.findall(r"[0-9.]+", share))
    assert low < value < high
    assert emperor.startswith("(0.149")
    assert verified == "True"
    assert headline == "Ann won, 7 to 6: after extra rounds."
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 300


def test_importing_it_loads_the_standard_library_and_hardly_anything_else() -> None:
    program = (
        "import sys; before = set(sys.modules); import facedown; "
        "print(*sorted(set(sys.modules) - before - set(sys.stdlib_module_names)))"
    )
    loaded = python("-c", program).stdout.split()

    ours = [name for name in loaded if name.partition(".")[0] == "facedown"]
    theirs = {name.partition(".")[0] for name in loaded} - {"facedown"} - set(sys.stdlib_module_names)
    assert 1 <= len(ours) < 10
    assert theirs == set()


def test_every_name_of_the_stub_is_there() -> None:
    tree = ast.parse(Path(facedown.__file__).with_name("__init__.pyi").read_text(encoding="utf-8"))
    names = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}

    assert names == {*dir(facedown)} - {"__all__", "__doc__", "__file__", "__name__", "__path__"}
    assert names - {*facedown.__all__} == {"__version__", "BlockingTable", "Connector", "ServerTable", "Turn"}
    for name in names:
        assert getattr(facedown, name) is not None


def test_without_any_extra_there_is_help_and_every_name_can_be_imported() -> None:
    """But those of tables on servers, which say what they need."""
    program = """
        import pydoc, sys
        for module in ("msgspec", "websockets", "numpy", "scipy", "openskill", "rich"):
            sys.modules[module] = None
        from facedown import *
        import facedown
        assert "What there is" in pydoc.render_doc(facedown)
        print(GameSeries.__name__, hasattr(facedown, "ServerTable"))
        facedown.Connector
    """
    done = python("-c", dedent(program))

    assert done.stdout == "GameSeries False\n"
    assert "facedown.Connector needs the extra `client`" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["games", "bots", "solve", "review"])
def test_a_function_is_not_replaced_by_a_folder_of_its_name(name: str) -> None:
    """Whichever comes first: the import system would put the folder in its place."""
    folder = {"games": "games", "bots": "bots.find", "solve": "solve.tree", "review": "review.words"}[name]
    program = (
        f"import facedown, facedown.{folder}; first = facedown.{name}; import importlib; "
        f"importlib.import_module('facedown.{folder}'); from facedown import {name}; "
        f"assert callable(first) and first is {name} is facedown.{name}, facedown.{name}"
    )
    done = python("-c", program)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "made",
    [
        'facedown.game("ecard")',
        'facedown.new("ecard", "classic(tie=pair)", seats=("Ann", "Bo"))',
        'facedown.play_many("ecard", ["sage", "uniform"], games=3, seed="x")',
        'facedown.arena("ecard", ["sage", "uniform"], games=3, seed="x")',
        'facedown.solve("ecard", "decisive(rounds=2,group=1)")',
        'facedown.rules("ecard", "classic(tie=pair)")',
        'facedown.play("ecard", ["sage", "uniform"], seed="x").record()',
        'facedown.play("ecard", ["sage", "uniform"], seed="x").outcome',
        'facedown.review(facedown.play("ecard", ["sage", "uniform"],  "decisive(rounds=1,group=1)"))',
        "facedown.Memory([1, 2])",
    ],
)
def test_a_repr_makes_the_same_again(made: str) -> None:
    names = {"facedown": facedown, **{name: getattr(facedown, name) for name in FACE}}
    value = eval(made, names)
    names["ECardRules"] = type(facedown.rules("ecard"))

    again = eval(repr(value), names)

    assert type(again) is type(value)
    assert repr(again) == repr(value)


@pytest.mark.parametrize("name", ["ECardView", "DavenportView"])
def test_the_page_for_bot_authors_lists_every_field_of_a_view(name: str) -> None:
    page = (ROOT / "docs" / "bot-authors.md").read_text(encoding="utf-8")
    part = page[page.index("### What a view holds") : page.index("## Memory")]
    view = getattr(facedown, name)

    assert type(facedown.new({"ECardView": "ecard", "DavenportView": "davenport"}[name]).view(1)) is view
    assert [field for field in view._fields if f"`{field}`" not in part] == []
