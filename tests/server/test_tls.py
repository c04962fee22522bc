"""A server with a certificate of its own: everything goes over HTTPS, and a renewed certificate is used."""

from __future__ import annotations

import datetime
import ipaddress
import os
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from facedown.protocol.messages import SUBPROTOCOL
from tests.cli.command import environment, failed_in_one_sentence
from tests.cli.conftest import Here
from tests.cli.conftest import here as here
from tests.patience import PATIENCE
from tests.server.running import Server, serve_in_vain, until

QUICK = """
import facedown.server.run as run
run.HANDSHAKE_S, run._RENEWED_S = 0.2, 0
"""


def write_certificate(folder: Path, *, passphrase: bytes = b"") -> list[str]:
    """A certificate for this computer, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    begin = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    protection = (
        serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    )
    pem = serialization.Encoding.PEM
    folder.mkdir(exist_ok=True)
    (folder / "cert.pem").write_bytes(certificate.public_bytes(pem))
    form = serialization.PrivateFormat.PKCS8
    (folder / "key.pem").write_bytes(key.private_bytes(pem, form, protection))
    return [str(folder / "cert.pem"), str(folder / "key.pem")]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return write_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def server(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("server") / "data"
    relative = [os.path.relpath(each) for each in files]
    running = Server(data, FACEDOWN_TLS=",".join(relative)).after(QUICK).start()
    yield running
    running.close()


def trusted(files: list[str]) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=files[0])


def test_pages_cookies_links_and_sockets_are_those_of_https(server: Server, files: list[str]) -> None:
    assert server.base.startswith("https://127.0.0.1:")
    with httpx2.Client(
        base_url=server.base, verify=trusted(files), timeout=PATIENCE, trust_env=False
    ) as browser:
        assert b"<html" in browser.get("/").content
        origin = {"Origin": server.base}
        made = browser.post("/api/v1/session", json={}, headers=origin)
        order = {"game": "ecard", "seats": [{"kind": "person"}] * 2}
        forged = browser.post(
            "/api/v1/tables", json=order, headers={"Origin": server.base.replace("https", "http")}
        )
        invite = browser.post("/api/v1/tables", json=order, headers=origin).json()["invite"]
        page = browser.get(f"/i/{invite}").text

    assert "secure" in made.headers["set-cookie"].lower()
    assert made.headers["set-cookie"].startswith("__Host-facedown_session=")
    assert "max-age=" in made.headers["strict-transport-security"]
    assert forged.json()["code"] == "wrong_origin"
    assert f'"{server.base}/i/{invite}"' in page
    address, protocol = server.base.replace("http", "ws", 1) + "/ws/v1", Subprotocol(SUBPROTOCOL)
    with connect(
        address, subprotocols=[protocol], ssl=trusted(files), origin=Origin(server.base), proxy=None
    ) as own:
        own.send("{}")
        assert '"bad_message"' in str(own.recv(PATIENCE))
    other = Origin(server.base.replace("https", "http"))
    with pytest.raises(InvalidStatus):
        connect(address, subprotocols=[protocol], ssl=trusted(files), origin=other, proxy=None)


def test_a_game_is_played_and_the_operator_asks(
    server: Server, files: list[str], here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a player who trusts the certificate; the operator's commands do so on their own."""
    command = [sys.executable, "-m", "facedown", "play", "ecard", "--plain", "--create", server.base]
    known = {**environment(), "HOME": str(tmp_path), "SSL_CERT_FILE": files[0]}
    played = subprocess.run(
        [*command, "--against", "habit"],
        input="resign\nyes\n",
        env=known,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    monkeypatch.chdir(tmp_path)
    tables = here("admin", "tables", "--data", str(server.data))

    assert (played.returncode, played.stderr) == (0, "")
    assert "won the game" in played.stdout
    assert "over     ecard" in tables.out


def test_a_client_that_begins_no_tls_does_not_keep_its_connection(server: Server) -> None:
    """An attack: no limit of an address counts a connection before its handshake."""
    address = ("127.0.0.1", int(server.base.rpartition(":")[2]))
    with socket.create_connection(address, PATIENCE) as silent, socket.create_connection(address) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"HTTP" not in plain.recv(100)
        assert silent.recv(100) == b""


def test_a_renewed_certificate_is_used_once_it_fits(server: Server, files: list[str], tmp_path: Path) -> None:
    before = shown(server)
    renewed = write_certificate(tmp_path / "new")
    Path(files[0]).write_bytes(Path(renewed[0]).read_bytes())
    until(lambda: "the renewed certificate cannot be used" in server.log())
    assert shown(server) == before

    Path(files[1]).write_bytes(Path(renewed[1]).read_bytes())
    until(lambda: "the renewed certificate is used" in server.log())

    assert shown(server) == Path(renewed[0]).read_text("ascii") != before


def shown(server: Server) -> str:
    """The certificate that the server shows."""
    port = int(server.base.rpartition(":")[2])
    return ssl.get_server_certificate(("127.0.0.1", port), timeout=PATIENCE)


@pytest.mark.parametrize("wrong", ["missing", "no certificate", "another key", "passphrase", "folder"])
def test_files_that_cannot_be_used(wrong: str, tmp_path: Path) -> None:
    certificate, key = write_certificate(tmp_path / "tls", passphrase=b"x" if wrong == "passphrase" else b"")
    if wrong == "missing":
        os.unlink(key)
    elif wrong == "no certificate":
        Path(certificate).write_text("nonsense")
    elif wrong == "another key":
        key = write_certificate(tmp_path / "other")[1]
    elif wrong == "folder":
        certificate = str(tmp_path)

    ran = serve_in_vain("--port", "0", "--data", str(tmp_path / "data"), "--tls", certificate, key)

    assert failed_in_one_sentence(ran, "bad_certificate"), ran
    assert not (tmp_path / "data").exists()
