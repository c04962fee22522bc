"""TCP proxy between a browser and the server that can be cut, be silent, or be forgotten by the other end."""

from __future__ import annotations

import contextlib
import socket
import threading

from tests.patience import PATIENCE

_CHUNK = 65536


class Proxy:
    """Listens on a port of its own and forwards both ways until it is cut."""

    def __init__(self, port: int) -> None:
        self._far = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._flows = threading.Event()
        self._flows.set()
        self._whole = True
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def cut(self) -> None:
        """Every connection breaks at once, and no new one comes through."""
        self._whole = False
        for pair in self._pairs:
            _hang_up(*pair)

    def silence(self) -> None:
        """Drops everything without closing a connection."""
        self._flows.clear()

    def forget(self) -> None:
        """The server hears that everybody is gone; the browser hears nothing."""
        self._flows.clear()
        for _, far in self._pairs:
            _hang_up(far)

    def mend(self) -> None:
        """As before: what was held back goes on its way."""
        self._whole = True
        self._flows.set()

    def close(self) -> None:
        """Gone for good."""
        self._whole = False
        self._flows.set()
        _hang_up(self._listener)
        self._listener.close()
        for pair in self._pairs:
            _hang_up(*pair)
        for thread in list(self._threads):
            thread.join(PATIENCE)
        for near, far in self._pairs:
            near.close()
            far.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._far)) if self._whole else None
            except OSError:
                far = None
            if far is None:
                near.close()
                continue
            self._pairs.append((near, far))
            for ends in ((near, far), (far, near)):
                self._threads.append(threading.Thread(target=self._pump, args=ends, daemon=True))
                self._threads[-1].start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(_CHUNK):
                self._flows.wait()
                sink.sendall(data)
        self._flows.wait()
        _hang_up(source, sink)


def _hang_up(*ends: socket.socket) -> None:
    for end in ends:
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
