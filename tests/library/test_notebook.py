"""The notebook: its code runs from the first cell to the last, draws four pictures, and answers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

NOTEBOOK = Path(__file__).parents[2] / "examples" / "three_questions.ipynb"
SHOWN = """
import logging
logging.getLogger("matplotlib.font_manager").setLevel("ERROR")  # it says when it is slow
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot
matplotlib.pyplot.show = lambda: (matplotlib.pyplot.savefig(__import__("io").BytesIO()), print("drawn"))
"""


def test_the_notebook_answers_its_questions(tmp_path: Path) -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in cells), "it is kept without outputs"
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SHOWN + code],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        cwd=tmp_path,
        env=os.environ
        | {"GAMES": "30", "DATASET": str(NOTEBOOK.parent / "sample-dataset"), "MPLCONFIGDIR": str(tmp_path)},
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("drawn") == 4
    before_last = re.search(r"before round 12: five behind (\S+), level (\S+), five ahead (\S+)", done.stdout)
    assert before_last is not None
    assert [float(each.strip(",")) for each in before_last.groups()] == [0, 0.2, 1]
    assert "games of machines: 48 of ecard" in done.stdout
    first = dict(re.findall(r"(\w+): (\S+) ± \S+ at the first play", done.stdout))
    assert float(first["pip"]) > float(first["sage"]), "pip plays it at once, and sage one time in five"
