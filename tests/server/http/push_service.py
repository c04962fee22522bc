"""A push service of the tests' own, on the loopback over TLS, and the keys of a browser that subscribes."""

from __future__ import annotations

import base64
import datetime
import json
import os
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece  # type: ignore[import-untyped]  # has no types
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from facedown.server.store.values import Subscription


def unpadded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class _ManyAtOnce(ThreadingHTTPServer):
    """Lets as many callers wait as several servers send at once."""

    request_queue_size = 128


class Service:
    """A push service on the loopback."""

    def __init__(self, folder: Path) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 201
        self.answers: list[int] = []
        """What the next ones are answered, before `status`."""
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                status = service.answers.pop(0) if service.answers else service.status
                self.send_response(status)
                if status == 307:
                    self.send_header("Location", "http://127.0.0.1:1/")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.certificate = self_signed(folder)
        self._server = _ManyAtOnce(("127.0.0.1", 0), Handler)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(self.certificate)
        self._server.socket = tls.wrap_socket(  # a handshake is for the thread of its caller
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        self.endpoint = f"https://localhost:{self._server.server_port}/push/abc?x=1"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def self_signed(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "localhost.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return file


class Browser:
    """A browser's keys."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)

    def at(self, endpoint: str) -> Subscription:
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return Subscription(endpoint, unpadded(point), unpadded(self.auth))

    def read(self, body: bytes) -> Any:
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth))
