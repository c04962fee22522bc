"""`facedown doctor`: what it finds on a computer where all is well, and on one where something is not."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests import postgresql
from tests.cli.command import Ran
from tests.cli.conftest import Here
from tests.cli.conftest import here as here
from tests.server.running import Server, for_sqlite
from tests.server.test_tls import write_certificate

Found: TypeAlias = Callable[..., tuple[int, dict[str, dict[str, Any]]]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def found(here: Here, data: Path) -> Found:
    """The exit status, and what was found by the name of the check."""

    def find(*arguments: str) -> tuple[int, dict[str, dict[str, Any]]]:
        ran = here("doctor", "--json", "--data", str(data), *(arguments or ("--port", "0")))
        assert ran.err == ""
        written = json.loads(ran.out)
        checks = {each["name"]: each for each in written["checks"]}
        assert written["fine"] is (ran.status == 0)
        assert written["fine"] is all(each["state"] != "wrong" for each in checks.values())
        return ran.status, checks

    return find


def test_a_fresh_computer_is_well_and_nothing_is_made(data: Path, found: Found) -> None:
    status, checks = found()

    assert status == 0
    assert {"versions", "extras", "data folder", "port", "home network", "clock"} == checks.keys()
    assert "server" in checks["extras"]["say"].split(", ")
    assert not data.exists()


@for_sqlite
def test_a_running_server_and_what_it_holds(data: Path, found: Found) -> None:
    server = Server(data).start()
    try:
        port = server.base.rpartition(":")[2]
        status, checks = found("--port", port)
    finally:
        server.close()

    assert status == 0
    assert checks["data folder"]["say"].endswith(f"used by the server at {server.base}")
    assert checks["database"]["say"].startswith("0 tables, 0 people")
    assert checks["port"]["say"] == f"{port}, held by the server at {server.base}"
    assert "was killed" in found()[1]["data folder"]["say"]


def test_a_port_that_another_program_holds(data: Path, found: Found) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        status, checks = found("--port", str(taken.getsockname()[1]))

    assert status == 1
    assert f"is taken by process {os.getpid()} (" in checks["port"]["say"]
    assert checks["port"]["do"]


@pytest.mark.parametrize("wrong", ["a file", "damaged"])
def test_a_data_folder_that_cannot_be_used(wrong: str, data: Path, found: Found) -> None:
    if wrong == "a file":
        data.touch()
    else:
        data.mkdir()
        (data / "facedown.sqlite").write_bytes(b"nonsense" * 1000)

    status, checks = found()

    assert status == 1
    assert checks["data folder" if wrong == "a file" else "database"]["state"] == "wrong"


def test_the_database_that_is_configured(data: Path, found: Found) -> None:
    url = postgresql.clean_database("doctor")
    status, checks = found("--port", "0", "--store", url)

    assert status == 0
    assert "the first server makes its schema" in checks["PostgreSQL"]["say"]

    store = "postgresql://me:secret@127.0.0.1:1/none"
    status, checks = found("--port", "0", "--store", store)
    assert status == 1
    assert checks["PostgreSQL"]["state"] == "wrong"
    assert "secret" not in json.dumps(checks)


def test_a_certificate(data: Path, found: Found, tmp_path: Path) -> None:
    certificate, key = write_certificate(tmp_path / "tls")

    assert "valid until" in found("--port", "0", "--tls", certificate, key)[1]["certificate"]["say"]
    status, checks = found("--port", "0", "--tls", certificate, str(tmp_path / "none"))

    assert (status, checks["certificate"]["state"]) == (1, "wrong")


def test_lines_for_people(data: Path, here: Here) -> None:
    def signs(ran: Ran) -> set[str]:
        return {line.partition(" ")[0] for line in ran.out.splitlines()}

    ask = ("doctor", "--data", str(data), "--port", "0")
    assert signs(here(*ask)) == {"✓", "–"}
