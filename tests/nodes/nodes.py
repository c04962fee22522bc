"""Several servers on one PostgreSQL, in processes of their own, and what may happen to them."""

from __future__ import annotations

import signal
import urllib.request
from http import HTTPStatus
from pathlib import Path

from tests.patience import PATIENCE
from tests.server.running import Server


class ServerNodes:
    """Servers on one store, and which of them are up."""

    def __init__(self, folder: Path, store: str, count: int = 3, **settings: str) -> None:
        self.all = [
            Server(
                folder / f"node{number}" / "data",
                FACEDOWN_STORE=store,
                **{"FACEDOWN_MACHINE_PAUSE": "0", **settings},
            )
            for number in range(count)
        ]
        for node in self.all:
            node.logs_folder.mkdir(parents=True)
        self.up: list[Server] = []

    def start(self) -> ServerNodes:
        """All of them, one after the other."""
        for node in self.all:
            self.rise(node)
        return self

    def rise(self, node: Server) -> None:
        """Start one that is down."""
        node.start()
        self.up.append(node)

    def kill(self, node: Server) -> None:
        """kill -9."""
        self.up.remove(node)
        node.kill()

    def term(self, node: Server) -> int:
        """SIGTERM, as a rolling restart does; its exit status."""
        self.up.remove(node)
        return node.stop()

    def freeze(self, node: Server) -> None:
        """SIGSTOP: it stands still and keeps all its connections."""
        self.up.remove(node)
        node.send(signal.SIGSTOP)

    def thaw(self, node: Server) -> None:
        """SIGCONT."""
        node.send(signal.SIGCONT)
        self.up.append(node)

    def is_ready(self, node: Server) -> bool:
        """What /readyz says."""
        try:
            with urllib.request.urlopen(f"{node.base}/readyz", timeout=PATIENCE) as answer:
                return bool(answer.status == HTTPStatus.OK)
        except OSError:  # 503, or it is gone
            return False

    def close(self) -> None:
        """However they stand, they are gone after this."""
        for node in self.all:
            node.close()

    def log(self) -> str:
        """The logs of all of them."""
        return "\n".join(node.log() for node in self.all)
