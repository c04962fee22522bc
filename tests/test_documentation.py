"""The documentation site: built without a warning, with everything that is made from the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import facedown
from facedown.core import registry
from facedown.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, tag_of
from facedown.server.app import ENDPOINTS
from tests.cli.installed import ROOT
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", str(folder / "trees")]
    done = subprocess.run(
        [*command, str(ROOT / "docs"), str(folder)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=folder,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_every_page_is_there(site: Path) -> None:
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} | {"generated/reference"}
    pages |= {f"generated/rules/{name}" for name in registry.names()}

    assert [each for each in sorted(pages) if not (site / f"{each}.html").exists()] == []


def test_the_reference_has_every_public_name(site: Path) -> None:
    text = (site / "generated/reference.html").read_text(encoding="utf-8")
    names = {name for name in facedown.__all__ if not name.startswith("_")}

    assert [each for each in sorted(names) if f'id="facedown.{each}"' not in text] == []


def test_the_page_on_the_protocol_has_every_message_and_call(site: Path) -> None:
    text = (site / "protocol.html").read_text(encoding="utf-8")
    words = re.sub("<[^>]*>", "", text)
    tags = [tag_of(each) for each in (*CLIENT_MESSAGES, *SERVER_MESSAGES)]

    assert [each for each in tags if f'id="{each}"' not in text] == []
    assert [each.path for each in ENDPOINTS if f"{each.method} {each.path}" not in words] == []
