"""What goes away warns: at the line that uses it, with the version and what to use instead."""

from __future__ import annotations

import subprocess
import sys

import pytest

from facedown.core.deprecation import GoingAway, deprecated


@deprecated(ends="1.0", use="`new`")
def old(number: int) -> int:
    """The number."""
    return number


def test_a_deprecated_function_warns_at_its_call_and_still_works() -> None:
    with pytest.warns(GoingAway, match=r"`old` goes away in Facedown 1\.0: use `new`") as warned:
        assert old(3) == 3

    assert warned[0].filename == __file__
    assert issubclass(GoingAway, DeprecationWarning)
    assert old.__doc__ == "The number.\n\nDeprecated: goes away in Facedown 1.0; use `new`."


COMMAND = """
import sys, types
from facedown.cli.main import main
from facedown.core.deprecation import warn_of
def run(arguments):
    warn_of("`--old`", ends="1.0", use="`--new`")
    return 0
sys.modules["facedown.commands.games"] = types.SimpleNamespace(run=run)
sys.exit(main(["games"]))
"""


def test_on_the_command_line_it_is_one_sentence() -> None:
    done = subprocess.run([sys.executable, "-c", COMMAND], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "facedown: `--old` goes away in Facedown 1.0: use `--new`\n"
