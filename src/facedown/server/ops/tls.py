"""TLS by a certificate of the operator's own: reading it, reading it again once it is renewed, and connecting
from this computer to a server that has it.
"""

from __future__ import annotations

import logging
import os
import ssl
from typing import Final

from facedown.core.errors import FacedownError
from facedown.files import reason

_log: Final = logging.getLogger("facedown.tls")


class BadCertificate(FacedownError):
    """A certificate or key that no server can use."""

    code = "bad_certificate"


class Certificate:
    """A certificate and its key, in two PEM files, and the TLS context of a server with them."""

    def __init__(self, certificate: str, key: str) -> None:
        self._files = (certificate, key)
        self._read_at: tuple[int, ...] = ()
        self.context = _read(*self._files)
        self._read_at = self._changed_at()

    async def reload(self) -> None:
        """Use renewed files for new connections; until they fit together, the old ones stay."""
        if (at := self._changed_at()) == self._read_at:
            return
        self._read_at = at
        try:
            _read(*self._files)  # on failure a context has lost what it had
            _load(self.context, *self._files)
        except BadCertificate as error:
            _log.error("the renewed certificate cannot be used: %s", error)
        else:
            _log.warning("the renewed certificate is used")

    def _changed_at(self) -> tuple[int, ...]:
        try:
            return tuple(os.stat(file).st_mtime_ns for file in self._files)
        except OSError:  # being replaced
            return self._read_at


def client_context(certificate: str) -> ssl.SSLContext | None:
    """The context of a client on this computer that trusts this certificate alone, whatever names it has;
    None without one."""
    if not certificate:
        return None
    try:
        context = ssl.create_default_context(cafile=certificate)
    except OSError as error:
        raise BadCertificate(f"the certificate {certificate} cannot be read: {reason(error)}") from None
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # no authority is needed
    return context


def _read(certificate: str, key: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _load(context, certificate, key)
    return context


def _load(context: ssl.SSLContext, certificate: str, key: str) -> None:
    for name, file in (("certificate", certificate), ("key", key)):
        try:
            with open(file, "rb"):
                pass
        except (OSError, ValueError) as error:
            why = reason(error) if isinstance(error, OSError) else "it is no file name"
            raise BadCertificate(f"the {name} {file!r} cannot be read: {why}", text=file) from None
    try:
        context.load_cert_chain(certificate, key, _no_passphrase)
    except _Protected:
        raise BadCertificate(f"the key {key!r} is protected by a passphrase: remove it", text=key) from None
    except (ssl.SSLError, OSError) as error:
        why = "they do not belong together" if "MISMATCH" in str(error) else "they are not in PEM format"
        raise BadCertificate(f"the certificate {certificate!r} and the key {key!r}: {why}") from None


class _Protected(Exception):
    pass


def _no_passphrase() -> str:
    """Called instead of a question on the terminal."""
    raise _Protected
