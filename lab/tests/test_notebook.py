"""The notebooks: their code runs from the first cell to the last, and answers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = Path(__file__).parents[1] / "examples"
NOTEBOOK = EXAMPLES / "three_questions.ipynb"
SHOWN = """
import logging
logging.getLogger("matplotlib.font_manager").setLevel("ERROR")  # it says when it is slow
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot
matplotlib.pyplot.show = lambda: (matplotlib.pyplot.savefig(__import__("io").BytesIO()), print("drawn"))
"""


def code_of(notebook: Path) -> str:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in cells), "it is kept without outputs"
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


SHORT = {
    "who_places_first": [
        "classic: 0.444477 one after the other, 0.444477 together",
        "2 cards can be placed first; after them the other seat knows 1 situation",
    ],
    "fair_price": [
        "5 plays: 1 pays 3/5, 2 pays 2/5, 3 pays 1/5, 4 pays 0, 5 pays -1/5, 6 pays -2/5",
        "classic: the nearest to a half is 0.4847, at a price of 1",
    ],
    "when_to_exchange": ["  exchange an Ace to 8: nothing of this kind does better against it"],
}
"""What the short ones answer, among other lines."""


@pytest.mark.parametrize("name", SHORT)
def test_a_short_notebook_answers_its_question(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code_of(EXAMPLES / f"{name}.ipynb"), name, "exec"), {})

    printed = capsys.readouterr().out.splitlines()
    assert [line for line in SHORT[name] if line not in printed] == []


def test_every_notebook_is_run() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.ipynb")} == {NOTEBOOK.stem, *SHORT}


def test_the_notebook_answers_its_questions(tmp_path: Path) -> None:
    code = code_of(NOTEBOOK)

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SHOWN + code],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        cwd=tmp_path,
        env=os.environ
        | {
            "GAMES": "30",
            "SAMPLE": str(ROOT / "examples/sample-games.jsonl"),
            "MPLCONFIGDIR": str(tmp_path),
        },
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("drawn") == 4
    before_last = re.search(r"before round 12: five behind (\S+), level (\S+), five ahead (\S+)", done.stdout)
    assert before_last is not None
    assert [float(each.strip(",")) for each in before_last.groups()] == [0, 0.2, 1]
    first = dict(re.findall(r"(\w+): (\S+) ± \S+ at the first play", done.stdout))
    assert float(first["pip"]) > float(first["sage"]), "pip plays it at once, and sage one time in five"
