"""A server of a copy of the package, which has one more language and whose files may be edited."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.patience import PATIENCE
from tests.test_third_language import LANGUAGE, copy_with_language

FORMS: Final = {1: "enojina", 2: "dvojina", 3: "množina", 5: "ostalo", 101: "enojina", 104: "množina"}
"""Which form Slovenian takes for a number: it has four."""


class ServedCopy(NamedTuple):
    """Where the server is, and the folder of its package."""

    url: str
    package: Path


@contextmanager
def served_copy(folder: Path) -> Iterator[ServedCopy]:
    """Serve a copy in this folder; its client comes from the sources."""
    tree = copy_with_language(folder)
    _give_forms(tree / "facedown/web/locale" / f"{LANGUAGE}.po")
    server = subprocess.Popen(
        [sys.executable, "-m", "facedown", "serve", "--data", str(tree / "data"), "--port", "0"],
        env=os.environ | {"PYTHONPATH": str(tree), "FACEDOWN_CLIENT": "sources"},
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert server.stdout is not None
    found = (re.search(r"http://[^/\s]+:\d+", line) for line in server.stdout)
    address = next(each[0] for each in found if each)
    reader = threading.Thread(target=server.stdout.read, daemon=True)  # a full pipe would block the server
    reader.start()
    yield ServedCopy(address, tree / "facedown")
    server.terminate()
    server.wait(PATIENCE)
    reader.join()
    server.stdout.close()


def _give_forms(source: Path) -> None:
    """Tell the forms of one message apart."""
    text = source.read_text(encoding="utf-8")
    start = text.index('msgid "lobby.waiting"')
    words = dict.fromkeys(FORMS.values())
    forms = "".join(f'msgstr[{at}] "{{count}} {word}"\n' for at, word in enumerate(words))
    entry = re.sub(r"(?:msgstr\[\d\] .*\n)+", forms, text[start:], count=1)
    source.write_text(text[:start] + entry, encoding="utf-8")
