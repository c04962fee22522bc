"""The files in deploy/: they name files, settings and commands that exist."""

from __future__ import annotations

import ipaddress
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
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yml").read_text("utf-8")))


@pytest.fixture(scope="module")
def services(compose: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return dict(compose["services"])


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
    """Without the `+` that would take a command out of the confinement, and without installing anything."""
    lines = re.findall(r"^Exec\w+=(.+)$", (DEPLOY / unit).read_text("utf-8"), re.M)

    assert lines[0] == "/opt/facedown/deploy/check-python"
    assert lines[1].find("/opt/facedown/.venv/bin/facedown serve") >= 0
    assert len(lines) == 2


def test_a_python_that_a_service_cannot_see_is_named(tmp_path: Path) -> None:
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").symlink_to("/root/.pyenv/versions/3.12.1/bin/no-python")
    (tmp_path / ".venv/pyvenv.cfg").write_text("home = /root/.pyenv/versions/3.12.1/bin\nversion = 3.12.1\n")
    (tmp_path / "seen/.venv/bin").mkdir(parents=True)
    (tmp_path / "seen/.venv/bin/python").symlink_to(sys.executable)
    check = str(DEPLOY / "check-python")

    works = subprocess.run([check, str(tmp_path / "seen/.venv")], capture_output=True, text=True)
    fails = subprocess.run([check, str(tmp_path / ".venv")], capture_output=True, text=True)

    assert (works.returncode, works.stderr) == (0, "")
    assert fails.returncode == 1
    assert "comes from /root/.pyenv/versions/3.12.1/bin." in fails.stderr
    assert f"PATH=/usr/bin:/bin {tmp_path}/deploy/set-up" in fails.stderr


def test_a_service_does_not_start_with_what_an_older_checkout_needed(tmp_path: Path) -> None:
    venv = tmp_path / ".venv"
    (venv / "bin").mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    (venv / "bin/python").symlink_to(sys.executable)
    for file in ("requirements.lock", "pyproject.toml", "scripts/bootstrap.sh", ".venv/pyvenv.cfg"):
        (tmp_path / file).write_text("", "utf-8")
    (tmp_path / "scripts/bootstrap.sh").write_bytes((ROOT / "scripts/bootstrap.sh").read_bytes())
    stamp = 'root=$1; . "$root/scripts/bootstrap.sh"; stamp requirements.lock'
    made = subprocess.run(["sh", "-c", stamp, "sh", str(tmp_path)], capture_output=True, check=True)
    (venv / "requirements.lock.stamp").write_bytes(made.stdout)
    check = [str(DEPLOY / "check-python"), str(venv)]

    assert subprocess.run(check).returncode == 0
    (tmp_path / "requirements.lock").write_text("asyncpg==0.32.0\n", "utf-8")
    stale = subprocess.run(check, capture_output=True, text=True)
    assert stale.returncode == 1
    assert stale.stderr.endswith(f"run {tmp_path}/deploy/set-up, as its owner.\n")


def test_patroni_loses_nothing_that_was_acknowledged() -> None:
    """Only a synchronous standby takes over, and a lease outlives a round that has to ask twice."""
    cluster = yaml.safe_load((DEPLOY / "patroni.yml").read_text("utf-8"))["bootstrap"]["dcs"]

    assert cluster["synchronous_mode"] is cluster["synchronous_mode_strict"] is True
    assert cluster["postgresql"]["parameters"]["synchronous_commit"] == "on"
    assert cluster["loop_wait"] + 2 * cluster["retry_timeout"] <= cluster["ttl"]


def test_the_proxy_asks_each_patroni_who_is_the_primary() -> None:
    first = yaml.safe_load((DEPLOY / "patroni.yml").read_text("utf-8"))
    proxy = (DEPLOY / "haproxy-postgresql.cfg").read_text("utf-8")

    servers = re.findall(r"^    server (\w+) (\S+) check port (\d+)$", proxy, re.M)
    hosts = [each.partition(":")[0] for each in first["etcd3"]["hosts"]]

    assert [address for _, address, _ in servers] == [f"{host}:5432" for host in hosts]
    assert servers[0] == (
        first["name"],
        first["postgresql"]["connect_address"],
        first["restapi"]["connect_address"].rpartition(":")[2],
    )
    assert "OPTIONS /primary" in proxy
    assert "on-marked-down shutdown-sessions" in proxy


def test_only_the_proxy_is_trusted(compose: dict[str, Any]) -> None:
    """Not a private network, in which people may be to whom the proxy's port is opened."""
    proxy = compose["services"]["proxy"]["networks"]["proxy"]["ipv4_address"]
    address = ipaddress.ip_address(re.sub(r"^\$\{PROXY_ADDRESS:-(.+)\}$", r"\1", proxy))
    (network,) = compose["networks"]["proxy"]["ipam"]["config"]
    subnet, others = (
        ipaddress.ip_network(re.sub(r"^\$\{\w+:-(.+)\}$", r"\1", network[key]))
        for key in ("subnet", "ip_range")
    )

    assert address in subnet
    assert address not in others
    for name in ("node1", "node2", "node3"):
        environment = compose["services"][name]["environment"]
        assert environment["FACEDOWN_PROXIES"] == environment["FACEDOWN_OPERATORS"] == proxy


def test_every_image_can_be_pinned_by_one_variable(compose: dict[str, Any]) -> None:
    images = {each["image"] for each in compose["services"].values() if "build" not in each}
    froms = re.findall(r"^FROM (\S+)", (DEPLOY / "Dockerfile").read_text("utf-8"), re.M)
    readme = (DEPLOY / "README.md").read_text("utf-8")

    assert set(froms) == {"${PYTHON_IMAGE}"}
    for image in (*images, compose["services"]["node1"]["build"]["args"]["PYTHON_IMAGE"]):
        variable, tag = re.findall(r"^\$\{(\w+):-(.+)\}$", image)[0]
        assert f"imagetools inspect --format '{{{{.Manifest.Digest}}}}' {tag}\n" in readme
        assert f"{variable}={tag}@sha256:…" in readme
