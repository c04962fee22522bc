"""The files in deploy/: they name files, settings and commands that exist."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from facedown.server.settings import PREFIX, Settings
from tests.cli.installed import ROOT, copied_for_container

DEPLOY = ROOT / "deploy"


def test_what_is_sent_to_a_builder_is_what_the_image_copies() -> None:
    """tests/cli/test_installed.py builds and tries the wheel in the folder that these lines make."""
    sent = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text("utf-8"), re.M)

    assert sent == [source for source, _ in copied_for_container()]


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    return dict(yaml.safe_load((DEPLOY / "compose.yml").read_text("utf-8"))["services"])


def test_compose_builds_and_mounts_files_that_exist(services: dict[str, dict[str, Any]]) -> None:
    builds = [each["build"] for each in services.values() if "build" in each]
    mounts = [mount for each in services.values() for mount in each.get("volumes", ())]
    files = [Path(mount.partition(":")[0]) for mount in mounts if mount.startswith(".")]

    assert len(builds) == 3
    for build in builds:
        assert (DEPLOY / build["context"]).resolve() == ROOT
        assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    assert files
    assert all((DEPLOY / file).is_file() for file in files)
    assert {name for each in services.values() for name in each.get("depends_on", ())} <= set(services)


@pytest.mark.parametrize(
    "file", ["Dockerfile", "compose.yml", "facedown.service", "facedown@.service", "README.md"]
)
def test_every_variable_is_a_setting(file: str) -> None:
    known = {PREFIX + each.name.upper() for each in fields(Settings)}

    used = set(re.findall(rf"\b{PREFIX}[A-Z_]+", (DEPLOY / file).read_text("utf-8")))

    assert used
    assert used <= known


@pytest.mark.parametrize("unit", ["facedown.service", "facedown@.service"])
def test_a_service_checks_what_it_can_see_itself(unit: str) -> None:
    """Without the `+` that would take a command out of the confinement, and after those that have it."""
    lines = re.findall(r"^ExecStart(?:Pre)?=(.+)$", (DEPLOY / unit).read_text("utf-8"), re.M)

    assert lines[-2] == "/opt/facedown/deploy/check-python"
    assert all(line.startswith("+") for line in lines[:-2])
    assert lines[-1].find("/opt/facedown/.venv/bin/facedown serve") >= 0


def test_a_python_that_a_service_cannot_see_is_named(tmp_path: Path) -> None:
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").symlink_to("/root/.pyenv/versions/3.12.1/bin/no-python")
    (tmp_path / ".venv/pyvenv.cfg").write_text("home = /root/.pyenv/versions/3.12.1/bin\nversion = 3.12.1\n")
    check = str(DEPLOY / "check-python")

    works = subprocess.run([check, sys.prefix], capture_output=True, text=True)
    fails = subprocess.run([check, str(tmp_path / ".venv")], capture_output=True, text=True)

    assert (works.returncode, works.stderr) == (0, "")
    assert fails.returncode == 1
    assert "comes from /root/.pyenv/versions/3.12.1/bin." in fails.stderr
    assert f"PATH=/usr/bin:/bin {tmp_path}/facedown --version" in fails.stderr
