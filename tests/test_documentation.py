"""The documentation site: built without a warning, with everything that is made from the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import facedown
from facedown.core import registry
from facedown.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, tag_of
from facedown.server.app import ENDPOINTS
from tests.cli.installed import ROOT
from tests.patience import PATIENCE


def test_the_site_has_every_page_name_message_and_call(tmp_path: Path) -> None:
    """One test, as a build writes into docs/generated: two at a time would disturb each other."""
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", str(tmp_path / "trees")]

    done = subprocess.run(
        [*command, str(ROOT / "docs"), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=tmp_path,
    )

    assert (done.returncode, done.stderr) == (0, "")
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} | {"generated/reference"}
    pages |= {f"generated/rules/{name}" for name in registry.names()}
    assert [each for each in sorted(pages) if not (tmp_path / f"{each}.html").exists()] == []

    reference = (tmp_path / "generated/reference.html").read_text(encoding="utf-8")
    names = {name for name in facedown.__all__ if not name.startswith("_")}
    assert [each for each in sorted(names) if f'id="facedown.{each}"' not in reference] == []

    protocol = (tmp_path / "protocol.html").read_text(encoding="utf-8")
    words = re.sub("<[^>]*>", "", protocol)
    tags = [tag_of(each) for each in (*CLIENT_MESSAGES, *SERVER_MESSAGES)]
    assert [each for each in tags if f'id="{each}"' not in protocol] == []
    assert [each.path for each in ENDPOINTS if f"{each.method} {each.path}" not in words] == []
