"""The set-up of `./facedown` and `./test` behind a proxy that signs all pages with its own certificate."""

from __future__ import annotations

import datetime
import hashlib
import http.server
import os
import shutil
import ssl
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.cli.installed import ROOT
from tests.needs import without

CASES = {
    "error: invalid peer certificate: UnknownIssuer": "does not trust",
    "SSL: CERTIFICATE_VERIFY_FAILED": "does not trust",
    "error: failed to lookup address: dns error": "is the network there?",
    "Connection refused (os error 111)": "is the network there?",
    "No space left on device (os error 28)": "the disk is full",
    "error: hash mismatch": "see the reason above",
}
"""What a tool says, and what that means."""


class Index(NamedTuple):
    """A package index that only those trust who know its certificate."""

    url: str
    certificate: Path


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("index")
    _wheel(folder / "simple" / "tiny")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_certificates(folder))
    handler = partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Index(f"https://localhost:{server.server_port}/simple", folder / "company.pem")
        server.shutdown()
        thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def _wheel(folder: Path) -> None:
    folder.mkdir(parents=True)
    name = "tiny-1-py3-none-any.whl"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        wheel.writestr("tiny.py", "")
        wheel.writestr("tiny-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1\n")
        wheel.writestr(
            "tiny-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr("tiny-1.dist-info/RECORD", "tiny.py,,\n")
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / "index.html").write_text(f'<a href="{name}#sha256={digest}">{name}</a>', "utf-8")


def _certificates(folder: Path) -> Path:
    """A company's certificate in `company.pem`; the server's, signed by it, and its key in one file."""
    company, own = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    encoding, kind = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    signed = _certificate("company", company, company).public_bytes(encoding)
    (folder / "company.pem").write_bytes(signed)
    path = folder / "server.pem"
    key = own.private_bytes(encoding, kind, serialization.NoEncryption())
    path.write_bytes(key + _certificate("localhost", own, company).public_bytes(encoding))
    return path


def _certificate(
    name: str, key: ec.EllipticCurvePrivateKey, by: ec.EllipticCurvePrivateKey
) -> x509.Certificate:
    subject, issuer = (
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, each)]) for each in (name, "company")
    )
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=key is by, path_length=None), critical=True)
        .sign(by, hashes.SHA256())
    )


def bootstrap(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A script with the functions of the set-up, in an environment of a few variables."""
    script = f"set -eu\nroot={folder}\n. {ROOT}/scripts/bootstrap.sh\n{script}"
    known = {"PATH": os.environ["PATH"], "HOME": str(folder), **variables}
    return subprocess.run(["sh", "-c", script], env=known, capture_output=True, text=True, check=False)


def fetch_package(folder: Path, index: Index, **variables: str) -> subprocess.CompletedProcess[str]:
    uv = shutil.which("uv") or shutil.which(str(ROOT / ".uv" / "bin" / "uv"))
    if uv is None:
        without("there is no uv")
    tool = f"{uv} pip install --no-config --target {folder}/target --default-index {index.url} tiny"
    return bootstrap(
        f'trust_system\nfetch "could not get tiny" {tool}', folder, UV_HTTP_RETRIES="0", **variables
    )


def test_a_certificate_that_is_not_trusted_is_named_with_the_tools_own_words(
    index: Index, tmp_path: Path
) -> None:
    ran = fetch_package(tmp_path, index)

    assert ran.returncode == 1
    assert "invalid peer certificate" in ran.stderr
    assert "facedown: could not get tiny: the index answers with a certificate" in ran.stderr


def test_a_certificate_of_ones_own_is_trusted(index: Index, tmp_path: Path) -> None:
    ran = fetch_package(tmp_path, index, SSL_CERT_FILE=str(index.certificate))

    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "target" / "tiny.py").exists()


def test_uv_and_pip_use_the_systems_certificates_unless_set(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.pem"
    bundle.write_text("certificates", "utf-8")

    found = bootstrap("trust_system; env", tmp_path, SSL_CERT_FILE=str(bundle)).stdout.splitlines()
    other = bootstrap("trust_system; env", tmp_path, SSL_CERT_FILE=str(bundle), UV_SYSTEM_CERTS="false")

    assert {"UV_SYSTEM_CERTS=true", "UV_NATIVE_TLS=true", f"PIP_CERT={bundle}"} <= set(found)
    assert "UV_SYSTEM_CERTS=false" in other.stdout.splitlines()


@pytest.mark.parametrize("said", CASES)
def test_a_failure_is_printed_as_it_is(said: str, tmp_path: Path) -> None:
    ran = bootstrap(f"""fetch "could not do it" sh -c 'echo "{said}" >&2; exit 3'""", tmp_path)

    assert ran.returncode == 1
    assert ran.stderr.startswith(f"{said}\nfacedown: could not do it: ")
    assert CASES[said] in ran.stderr


def python_of(folder: Path, name: str, says: str, *, has: str = "") -> str:
    """A Python of which the set-up learns what it says, on a PATH of its own."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f'#!/bin/sh\n[ "${{3-{has}}}" = "{has}" ] && echo "{says}"\n')
    path.chmod(0o755)
    return str(folder)


def find_python(*folders: str, module: str = "") -> str:
    return bootstrap(f"PATH='{':'.join(folders)}'; find_python {module}", ROOT).stdout.strip()


def test_a_python_that_was_built_with_optimisations_is_preferred(tmp_path: Path) -> None:
    plain = python_of(tmp_path / "first one", "python3", "plain /first")
    fast = python_of(tmp_path / "second", "python3.12", "optimised /second")
    old = python_of(tmp_path / "third", "python3", "")
    assert find_python(plain, old, fast) == "/second"
    assert find_python(old, plain) == "/first"
    assert find_python(old) == ""


def test_a_python_without_a_module_that_is_needed_is_passed_over(tmp_path: Path) -> None:
    without_pip = python_of(tmp_path / "a", "python3", "optimised /fast", has="something else")
    with_pip = python_of(tmp_path / "b", "python3", "plain /slow", has="ensurepip")
    assert find_python(without_pip, with_pip, module="ensurepip") == "/slow"
    assert find_python(without_pip, with_pip) == "/fast"
