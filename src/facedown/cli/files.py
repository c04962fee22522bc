"""Files that commands write: whole or not at all, and never over what is not a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from facedown.cli.errors import UnwritableFile, reason


def check_writable(path: str) -> None:
    """Raise where a file could not be written later: better before a game than after it."""
    target = Path(path)
    if not path:
        raise UnwritableFile("a file name is needed to write to, and this one is empty")
    if target.is_dir():
        raise UnwritableFile(f"cannot write {path}: it is a directory", text=path)
    if not target.absolute().parent.is_dir():
        raise UnwritableFile(f"cannot write {path}: there is no directory {target.parent}", text=path)
    writes = target if target.exists() and not target.is_file() else target.absolute().parent
    if not os.access(writes, os.W_OK):
        raise UnwritableFile(f"cannot write {path}: permission denied", text=path)


@contextmanager
def writing(path: str) -> Iterator[TextIO]:
    """A file to write, which gets its name when all is written; devices and pipes are written to at once."""
    check_writable(path)
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            with open(target, "w", encoding="utf-8") as device:
                yield device
            return
        target = target.resolve()
        with _part(target) as part:
            yield part
            part.flush()
            os.fsync(part.fileno())
            os.replace(part.name, target)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UnwritableFile(f"cannot write {path}: {reason(error)}", text=path) from None


@contextmanager
def _part(target: Path) -> Iterator[TextIO]:
    """The unfinished file beside its target; it is gone afterwards, unless it was renamed."""
    part = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    try:
        with open(part, "w", encoding="utf-8") as unfinished:
            yield unfinished
    finally:
        part.unlink(missing_ok=True)
