"""The files in deploy/: they name files, settings and commands that exist."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import jsonschema_rs
import msgspec
import pytest
import yaml  # type: ignore[import-untyped]

from bench.nemeses import programs
from facedown.protocol.rest import Problem
from facedown.server.settings import PREFIX, Settings
from facedown.server.store.failures import StoreFailed
from tests import postgresql
from tests.cli.installed import ROOT, copied_for_container
from tests.needs import without

DEPLOY = ROOT / "deploy"
_SERVER = r"^    server (\w+) (\S+) check port (\d+)$"


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


def test_compose_builds_and_mounts_files_that_exist(
    compose: dict[str, Any], services: dict[str, dict[str, Any]]
) -> None:
    builds = [each["build"] for each in services.values() if "build" in each]
    configurations = [Path(each["file"]) for each in compose["configs"].values()]
    settings = [Path(file) for each in services.values() for file in each.get("env_file", ())]
    mounts = [mount for each in services.values() for mount in each.get("volumes", ())]
    mounted = [Path(mount.partition(":")[0]) for mount in mounts if mount.startswith(".")]

    assert len(builds) == 1 + 3 + 3
    for build in builds:
        assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    assert mounted
    assert configurations
    assert settings
    assert all((DEPLOY / file).is_file() for file in (*mounted, *configurations, *settings))
    assert (DEPLOY / "make-database").stat().st_mode & 0o111


def test_compose_fits_its_schema(compose: dict[str, Any]) -> None:
    schema = files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json"

    errors = jsonschema_rs.validator_for(json.loads(schema.read_text("utf-8"))).iter_errors(compose)

    assert [each.message for each in errors] == []


@pytest.mark.parametrize(
    "file",
    ["Dockerfile", "compose.yml", "facedown.service", "facedown@.service", "README.md"],
)
def test_every_variable_is_a_setting(file: str) -> None:
    known = {PREFIX + each.name.upper() for each in fields(Settings)} | {"FACEDOWN_PASSWORD"}

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
    (tmp_path / "lab").mkdir()
    files = ("requirements.lock", "pyproject.toml", "lab/pyproject.toml", "scripts/bootstrap.sh")
    for file in (*files, ".venv/pyvenv.cfg"):
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

    servers = re.findall(_SERVER, proxy, re.M)
    hosts = [each.partition(":")[0] for each in first["etcd3"]["hosts"]]

    assert [address for _, address, _ in servers] == [f"{host}:5432" for host in hosts]
    assert servers[0] == (
        first["name"],
        first["postgresql"]["connect_address"],
        first["restapi"]["connect_address"].rpartition(":")[2],
    )
    assert "OPTIONS /primary" in proxy
    assert "on-marked-down shutdown-sessions" in proxy


@pytest.mark.parametrize("name", ["haproxy.cfg", "haproxy-postgresql.cfg"])
def test_haproxy_takes_its_files(name: str) -> None:
    program = programs.find("haproxy") or without("there is no HAProxy: its files are not checked")

    checked = subprocess.run([program, "-c", "-f", str(DEPLOY / name)], capture_output=True, text=True)

    assert checked.returncode == 0, checked.stderr


def test_the_proxy_sends_all_of_a_table_to_one_server(tmp_path: Path) -> None:
    program = programs.find("haproxy") or without("there is no HAProxy to send tables to their servers")
    nodes = [_NamedServer(f"node{number}") for number in (1, 2, 3)]
    (port,) = programs.free_ports(1)
    text = (DEPLOY / "haproxy.cfg").read_text("utf-8").replace(":8080", f"127.0.0.1:{port}")
    for node in nodes:
        text = text.replace(f"{node.name}:8765", f"127.0.0.1:{node.server_port}")
    (tmp_path / "haproxy.cfg").write_text(text, "utf-8")
    proxy = subprocess.Popen([program, "-q", "-db", "-f", str(tmp_path / "haproxy.cfg")])

    def served(path: str) -> str:
        with urlopen(f"http://127.0.0.1:{port}{path}") as answer:
            return str(answer.read().decode())

    try:
        programs.wait_for(lambda: _answers(f"http://127.0.0.1:{port}/"))
        found = {(served(f"/api/v1/tables/T{n}"), served(f"/ws/v1/T{n}")) for n in range(40)}
        assert found == {(node.name, node.name) for node in nodes}
    finally:
        proxy.terminate()
        proxy.wait()
        for node in nodes:
            node.stop()


class _NamedServer(ThreadingHTTPServer):
    """Answers every call with its name."""

    def __init__(self, name: str) -> None:
        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(name)))
                self.end_headers()
                self.wfile.write(name.encode())

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Answers)
        self.name = name
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    def stop(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


def _answers(address: str) -> bool:
    try:
        with urlopen(address) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.mark.parametrize("status", [502, 503])
def test_the_proxy_refuses_as_servers_do(status: int) -> None:
    """Where none of them is ready, or one goes before it answers: programs send the same again."""
    proxy = (DEPLOY / "haproxy.cfg").read_text("utf-8")
    (said,) = re.findall(rf"http-error status {status} .* string '(.+)'$", proxy, re.M)

    problem = msgspec.json.decode(said, type=Problem)

    assert (problem.status, problem.code) == (status, StoreFailed.code)
    assert problem.type == f"urn:facedown:problem:{problem.code}"


@pytest.mark.parametrize("unit", ["facedown.service", "facedown@.service", "facedown-postgresql.service"])
def test_systemd_takes_its_units(unit: str, tmp_path: Path) -> None:
    """With programs that are here."""
    program = shutil.which("systemd-analyze")
    if program is None:  # no container has it
        pytest.skip("*** SKIPPED: there is no systemd: its units are not checked ***")
    text = (DEPLOY / unit).read_text("utf-8").replace("/opt/facedown/.venv/bin/facedown", "/bin/true")
    text = text.replace("/opt/patroni/bin/patroni", "/bin/true")
    text = text.replace("/opt/facedown/deploy/check-python", "/bin/true")
    (tmp_path / "facedown.target").write_bytes((DEPLOY / "facedown.target").read_bytes())
    (tmp_path / unit.replace("@", "@1")).write_text(text, "utf-8")

    checked = subprocess.run(
        [program, "verify", "--man=no", str(tmp_path / unit.replace("@", "@1"))],
        capture_output=True,
        text=True,
    )

    ours = [line for line in checked.stderr.splitlines() if unit.replace("@", "@1") in line]
    assert (checked.returncode, ours) == (0, []), checked.stderr


def test_patroni_takes_its_file(tmp_path: Path) -> None:
    """If one is here that is new enough."""
    if programs.missing("patroni"):
        without("there is no Patroni to check its file")
    text = (DEPLOY / "patroni.yml").read_text("utf-8")
    file = tmp_path / "config.yml"
    file.write_text(text.replace("/usr/lib/postgresql/15/bin", str(postgresql.programs())), "utf-8")

    # Whether these addresses are there is not asked.
    environment = {"PATRONI_SUPERUSER_PASSWORD": "one", "PATRONI_REPLICATION_PASSWORD": "another"}
    checked = subprocess.run(
        [str(programs.find("patroni")), "--validate-config", "--ignore-listen-port", str(file)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr


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
