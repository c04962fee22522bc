"""A server that starts while PostgreSQL is away: it waits, unless waiting cannot help."""

from __future__ import annotations

import signal
import socket
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests import postgresql
from tests.cli.command import failed_in_one_sentence, run
from tests.patience import PATIENCE
from tests.server.away import PASSWORD, WAITS, AwayDatabase, starting, until_it_waits
from tests.server.away import away as away
from tests.server.running import Server, serve_in_vain

_BACK: Final = "the store can be used"
SIGNALS: Final = [signal.SIGINT, signal.SIGTERM]


def test_a_server_waits_for_its_database_and_then_serves(tmp_path: Path, away: AwayDatabase) -> None:
    with starting(Server(tmp_path / "data", FACEDOWN_STORE=away.url)) as (server, ready):
        until_it_waits(server, ready)

        away.bring_back()

        ready.result(PATIENCE)
        with urllib.request.urlopen(f"{server.base}/readyz", timeout=PATIENCE) as answer:
            assert answer.status == 200
        assert (server.log().count(WAITS), server.log().count(_BACK)) == (1, 1)
        assert PASSWORD not in server.log()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_a_server_that_waits(
    tmp_path: Path, away: AwayDatabase, number: signal.Signals
) -> None:
    with starting(Server(tmp_path / "data", FACEDOWN_STORE=away.url)) as (server, ready):
        until_it_waits(server, ready)

        server.send(number)

        assert "did not start" in str(ready.exception(PATIENCE))
        assert server.wait() == 0
        assert "Traceback" not in server.log()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_a_server_whose_database_accepts_and_never_answers(
    tmp_path: Path, away: AwayDatabase, number: signal.Signals
) -> None:
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(away.socket))
        silent.listen()
        silent.settimeout(PATIENCE)
        with starting(Server(tmp_path / "data", FACEDOWN_STORE=away.url)) as (server, ready):
            line, _ = silent.accept()

            server.send(number)

            assert "did not start" in str(ready.exception(PATIENCE))
            assert server.wait() == 0
            assert "Traceback" not in server.log()
            line.close()


def refusing_database(user: str) -> str:
    """The address of an existing database, for this user."""
    return postgresql.clean_database("refusing").replace("user=postgres", f"user={user}")


def without_rights() -> str:
    postgresql.of_this_run().sql("create role facedown_without_rights login")
    return refusing_database("facedown_without_rights")


def with_a_wrong_password() -> str:
    cluster = postgresql.of_this_run()
    rules = cluster.data / "pg_hba.conf"
    own = "local all facedown_by_password scram-sha-256\n"
    with postgresql.locked(rules.with_suffix(".lock")):
        rules.write_text(own + rules.read_text())
        cluster.sql("select pg_reload_conf()")
    cluster.sql("create role facedown_by_password login password 'right'")
    return refusing_database("facedown_by_password") + f"&password={PASSWORD}"


REFUSED: Final[dict[str, Callable[[], str]]] = {
    "no database": lambda: refusing_database("postgres").replace("_refusing", "_nowhere"),
    "no role": lambda: refusing_database("facedown_nobody"),
    "wrong password": with_a_wrong_password,
    "no rights": without_rights,
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_refusal_that_waiting_does_not_change_ends_the_server(tmp_path: Path, why: str) -> None:
    ran = serve_in_vain("--port", "0", "--data", str(tmp_path / "data"), "--store", REFUSED[why]())

    assert ran.status == 2
    assert ran.err.splitlines()[-1].startswith("facedown: store_failed: PostgreSQL refuses this server: ")
    assert WAITS not in ran.err
    assert PASSWORD not in ran.err


def test_a_schema_of_another_version_ends_the_server(tmp_path: Path) -> None:
    url = postgresql.clean_database("newer")
    name = url.partition("///")[2].partition("?")[0]
    cluster = postgresql.of_this_run()
    cluster.sql(
        "create schema if not exists facedown; drop table if exists facedown.version;"
        "create table facedown.version as select 99 as version",
        name,
    )

    ran = serve_in_vain("--port", "0", "--data", str(tmp_path / "data"), "--store", url)

    assert ran.status == 2
    assert ran.err.splitlines()[-1].startswith("facedown: unsupported: ")
    assert "another version of Facedown" in ran.err


def test_other_commands_do_not_wait(away: AwayDatabase) -> None:
    ran = run("admin", "check", "--store", away.url)

    assert failed_in_one_sentence(ran, "store_failed")
    assert PASSWORD not in ran.err
