"""For operators: health, counters, and the commands around a server."""

from __future__ import annotations

import json
import re
import signal
import stat
import subprocess
import urllib.request
from pathlib import Path

import pytest

from facedown.client import RestClient
from facedown.client.keys import KnownServers
from facedown.server.store.sqlite.backup import check
from tests.cli.command import command, environment, failed_in_one_sentence
from tests.cli.conftest import Here
from tests.cli.conftest import here as here
from tests.patience import PATIENCE
from tests.server.http.client import Caller, Meet, sit_down
from tests.server.running import Server, for_sqlite, serve_in_vain, until


def text(address: str) -> str:
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def test_a_healthy_server_is_ready(server: Server) -> None:
    assert json.loads(text(f"{server.base}/healthz")) == {"status": "ok"}
    assert json.loads(text(f"{server.base}/readyz")) == {"status": "ok"}


def test_what_is_counted(server: Server, ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob)
    ann.refused("POST", f"/tables/{table}/commands", {"id": "a", "do": "resign", "decision": 99})

    until(lambda: 'code="wrong_decision",do="resign"' in text(f"{server.base}/metrics"))  # a page is kept
    page = text(f"{server.base}/metrics")

    assert (
        'facedown_requests_total{method="POST",route="/api/v1/tables/{table}/commands",status="200"}' in page
    )
    assert 'facedown_commands_total{code="ok",do="open"}' in page
    assert 'facedown_commands_total{code="wrong_decision",do="resign"}' in page
    assert "facedown_store_failures_total" in page
    assert "facedown_tables_broken " in page
    assert "facedown_sockets " in page
    assert table not in page


# --- the note in the data folder -------------------------------------------------------------------------


def test_the_operators_token_is_for_the_owner_of_the_folder(server: Server) -> None:
    note = server.data / "server.json"

    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert json.loads(note.read_text())["address"] == server.base
    assert json.loads(note.read_text())["token"] not in server.log()


def test_tables_are_listed_and_closed(server: Server, ann: Caller, here: Here) -> None:
    table = ann.make()["table"]
    data = ("--data", str(server.data))

    listed = here("admin", "tables", *data)
    closed = here("admin", "close", table, "--say", "we move house", *data)

    assert f"{table}  open     ecard classic  free, free" in listed.out
    assert (closed.status, closed.out) == (0, f"Closed {table}.\n")
    assert ann.see(table)["table"]["state"] == "closed"
    events = ann.ok("GET", f"/tables/{table}/events")["events"]
    assert (events[-1]["k"], events[-1]["say"]) == ("closed", "we move house")
    again = here("admin", "close", table, *data)
    assert failed_in_one_sentence(again, "refused")
    assert "this table is closed" in again.err
    as_json = json.loads(here("admin", "tables", "--json", *data).out)
    assert table in [each["table"] for each in as_json["tables"]]


def test_people_are_found_reported_and_erased(server: Server, meet: Meet, here: Here) -> None:
    ann, rude = meet("Ann"), meet("Rudolf the Rude")
    table = sit_down(ann, rude)
    v = rude.do(table, "say", text="an insult")["v"]
    ann.ok("POST", "/reports", {"table": table, "about": "words", "message": v, "why": "rude"}, 204)
    data = ("--data", str(server.data))

    people, cases = here("admin", "people", "rudolf", *data).out, here("admin", "cases", *data).out

    assert re.search(
        rf"^{rude.person}  Rudolf the Rude  guest  since .+  last here .+  1 seats  1 reports$", people, re.M
    )
    assert f"Rudolf the Rude ({rude.person})" in cases
    listed = json.loads(here("admin", "cases", "--json", *data).out)["cases"]
    number = next(str(each["case"]["id"]) for each in listed if each["case"]["person"] == rude.person)
    case = here("admin", "cases", number, *data).out
    assert f"words at table {table}, event {v}: an insult\n   why: rude\n" in case
    decision = ("decide", number, "--sanction", "no_chat", "--days", "3", "--say", "be kind")
    assert here("admin", *decision, *data).out == f"Decided case {number}: no chat for 3 days.\n"
    assert failed_in_one_sentence(here("admin", *decision, *data), "refused")
    assert here("admin", "decide", number, *data).out == f"Lifted what was decided in case {number}.\n"
    assert failed_in_one_sentence(here("admin", "appoint", rude.person, *data), "refused")
    assert "the operator  decide case" in here("admin", "audit", *data).out
    rude.do(table, "resign", decision=1)
    over = here("admin", "close", table, *data)
    assert failed_in_one_sentence(over, "refused")
    assert "its game is over" in over.err
    assert here("admin", "erase", rude.person, *data).out == f"Erased {rude.person}.\n"
    assert "0 people" in here("admin", "people", "rudolf", *data).out
    assert "limits hit" in here("admin", "limits", *data).out
    assert "pairs whose games" in here("admin", "pairs", *data).out
    assert failed_in_one_sentence(here("admin", "erase", rude.person, *data), "refused")


def test_the_key_is_changed_and_clients_that_kept_the_old_one_accept_it(
    server: Server, ann: Caller, here: Here, tmp_path: Path
) -> None:
    guest, file = RestClient(server.base), tmp_path / "servers.json"
    old = KnownServers(file).meet(guest)
    before = ann.make()["table"]

    changed = here("admin", "change-key", "--data", str(server.data))

    published = guest.keys()
    assert changed.out.split()[-3::2] == [*old, f"{published.key}."]
    assert KnownServers(file).meet(guest) == {*old, published.key}
    assert KnownServers(file).keys == {guest.address: published.key}
    assert [ann.see(each)["table"]["key"] for each in (before, ann.make()["table"])] == [*old, published.key]
    assert failed_in_one_sentence(here("admin", "change-key", "X", "--data", str(server.data)), "usage")


def test_what_an_operator_may_get_wrong(server: Server, here: Here, tmp_path: Path) -> None:
    data = ("--data", str(server.data))

    assert failed_in_one_sentence(here("admin", "close", *data), "usage")
    assert failed_in_one_sentence(here("admin", "tables", "X", *data), "usage")
    assert failed_in_one_sentence(here("admin", "close", "Z" * 26, *data), "refused")
    assert failed_in_one_sentence(here("admin", "tables", "--data", str(tmp_path)), "not_running")


def test_a_server_that_was_killed_is_not_running(tmp_path: Path, here: Here) -> None:
    note = {"address": "http://127.0.0.1:9", "token": "x", "pid": 1}
    (tmp_path / "server.json").write_text(json.dumps(note))

    assert failed_in_one_sentence(here("admin", "tables", "--data", str(tmp_path)), "not_running")


# --- backups ---------------------------------------------------------------------------------------------


@for_sqlite
def test_a_backup_while_the_server_runs(server: Server, ann: Caller, here: Here, tmp_path: Path) -> None:
    ann.make()
    target = tmp_path / "copy.db"

    first = here("admin", "backup", str(target), "--data", str(server.data))
    second = here("admin", "backup", str(target), "--data", str(server.data))

    assert first.status == 0
    assert first.out.startswith(f"Written to {target}: ")
    assert check(target) == []
    assert failed_in_one_sentence(second, "file_exists")


@for_sqlite
def test_a_backup_is_restored_by_starting_on_it(
    server: Server, ann: Caller, here: Here, tmp_path: Path
) -> None:
    table = ann.make(public=True)["table"]
    (tmp_path / "data").mkdir()
    here("admin", "backup", str(tmp_path / "data" / "facedown.sqlite"), "--data", str(server.data))

    restored = Server(tmp_path / "data").start()
    try:
        with Caller(restored.base) as other:
            assert other.see(table)["table"]["id"] == table
            assert other.refused("GET", "/session", Authorization="Bearer x") == (401, "bad_token")
            assert other.ok("GET", "/session", Authorization=f"Bearer {ann.token}")["name"] == "Ann"
    finally:
        restored.close()


# --- starting --------------------------------------------------------------------------------------------


def test_the_settings_are_logged_at_the_start(server: Server) -> None:
    first = json.loads(server.log().splitlines()[0])

    assert first["event"] == "settings"
    assert first["data"] == str(server.data)
    assert first["people"] == "100000"


def test_facedown_alone_serves_and_a_second_time_finds_the_first(tmp_path: Path) -> None:
    nowhere = {"FACEDOWN_DATA": str(tmp_path / "data"), "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    environ = {**environment(), **nowhere}
    nothing = subprocess.DEVNULL
    first = subprocess.Popen(command(), env=environ, stdout=subprocess.PIPE, stderr=nothing, text=True)
    assert first.stdout is not None
    try:
        address = first.stdout.readline()
        second = subprocess.run(command(), env=environ, capture_output=True, text=True, timeout=PATIENCE)
    finally:
        first.send_signal(signal.SIGINT)
        status = first.wait(PATIENCE)
        first.stdout.close()

    assert address.startswith("Facedown is at http://127.0.0.1:")
    assert (second.returncode, second.stdout) == (0, address)
    assert status == 0


@for_sqlite
def test_a_second_server_does_not_touch_the_data(server: Server) -> None:
    ran = serve_in_vain("--port", "0", "--data", str(server.data))

    assert failed_in_one_sentence(ran, "data_in_use")


@pytest.mark.parametrize("host", ["nowhere.invalid", "256.256.256.256", "192.0.2.1"])
def test_an_address_of_another_machine_is_no_port_that_is_taken(host: str, tmp_path: Path) -> None:
    ran = serve_in_vain("--host", host, "--data", str(tmp_path / "data"))

    assert ran.status == 2
    assert ran.err.splitlines()[-1].startswith(f"facedown: bad_setting: host '{host}': ")


def test_a_port_that_is_taken(server: Server, tmp_path: Path) -> None:
    port = server.base.rpartition(":")[2]

    ran = serve_in_vain("--port", port, "--data", str(tmp_path / "data"))

    assert ran.status == 2
    assert ran.err.splitlines()[-1].startswith("facedown: port_taken: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--port", "70000"),
        ("--public-url", "cards.example.org"),
        ("--log", "pretty"),
        ("--limit", "nonsense=3"),
        ("--limit", "tables=none"),
        ("--limit", "tables=0"),
        ("--proxies", "nonsense"),
    ],
)
def test_settings_that_make_no_sense(arguments: tuple[str, str], here: Here, tmp_path: Path) -> None:
    ran = here("serve", "--data", str(tmp_path / "data"), *arguments)

    assert failed_in_one_sentence(ran, "bad_setting")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("store", "code"),
    [
        ("mysql://me:pw@db/facedown", "unsupported"),
        ("postgresql://me:pw@127.0.0.1:port/facedown", "unsupported"),
    ],
)
def test_stores_that_do_not_exist(tmp_path: Path, store: str, code: str) -> None:
    ran = serve_in_vain("--port", "0", "--data", str(tmp_path / "data"), "--store", store)

    assert ran.status == 2
    assert f"facedown: {code}: " in ran.err
    assert ":pw" not in ran.err


def test_streams_and_long_polls_do_not_delay_a_shutdown(tmp_path: Path) -> None:
    running = Server(tmp_path / "data").start()
    try:
        with Caller(running.base) as ann, Caller(running.base) as bob:
            ann.begin("Ann")
            bob.begin("Bob")
            with ann.http.stream("GET", "/stream") as answer:
                lines = answer.iter_lines()
                next(lines)
                assert (running.data / "server.json").exists()
                assert running.stop() == 0
                assert not (running.data / "server.json").exists()
                assert json.loads(list(lines)[-1])["why"] == "shutdown"  # it ended, and was not cut off
    finally:
        running.close()


def test_behind_tls_no_neighbouring_host_plants_a_session(tmp_path: Path) -> None:
    home = "https://cards.example.org"
    running = Server(tmp_path / "data", FACEDOWN_PUBLIC_URL=home).start()
    try:
        with Caller(running.base) as ann, Caller(running.base) as thief:
            own, planted = (
                each.ask("POST", "/session", {"name": name}, Origin=home)
                .headers["set-cookie"]
                .partition(";")[0]
                for each, name in ((ann, "Ann"), (thief, "Thief"))
            )
            assert own.startswith("__Host-facedown_session=")
            plain = f"facedown_session={planted.partition('=')[2]}"
            with Caller(running.base) as caller:
                assert caller.refused("GET", "/session", Cookie=plain) == (401, "needs_session")
                for both in (f"{plain}; {own}", f"{own}; {plain}"):
                    assert caller.ok("GET", "/session", Cookie=both)["name"] == "Ann"
                for two in (f"{own}; {planted}", f"{planted}; {own}"):
                    assert caller.refused("GET", "/session", Cookie=two) == (401, "needs_session")
            left = ann.ask("DELETE", "/session", Origin=home, Cookie=own).headers["set-cookie"]
            assert left.startswith('__Host-facedown_session="";')
            assert "secure" in left.lower()
    finally:
        running.close()


def test_behind_tls_the_cookie_travels_over_nothing_else(tmp_path: Path) -> None:
    running = Server(tmp_path / "data", FACEDOWN_PUBLIC_URL="https://cards.example.org").start()
    try:
        with Caller(running.base) as ann:
            answer = ann.ask("POST", "/session", {}, Origin="https://cards.example.org")
            cookie = answer.headers["set-cookie"]
            assert "secure" in cookie.lower()
            name = ann.ask(
                "PATCH",
                "/session",
                {"name": "Ann"},
                Origin="https://cards.example.org",
                Cookie=cookie.partition(";")[0],
            )
            assert name.json()["name"] == "Ann"
    finally:
        running.close()


def test_limits_hold(tmp_path: Path) -> None:
    running = Server(tmp_path / "data", FACEDOWN_PEOPLE="2", FACEDOWN_TABLES="1").start()
    try:
        with Caller(running.base) as ann:
            ann.begin("Ann")
            ann.make()
            order = {"game": "ecard", "seats": [{"kind": "person"}] * 2}
            assert ann.refused("POST", "/tables", order) == (429, "too_many")
        with Caller(running.base) as other:
            other.begin("Bob")
            assert other.refused("POST", "/session", {"kind": "program"}) == (429, "too_many")
    finally:
        running.close()
