"""`facedown backup`: a copy of a server's data, made while it runs.

The copy is one SQLite file: put into an empty folder as `facedown.sqlite`, it is a data folder again.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from facedown.cli import DONE
from facedown.core.errors import Unsupported


def run(arguments: argparse.Namespace) -> int:
    """Copy the data into a new file, and check the copy."""
    from facedown.server.settings import Settings
    from facedown.server.store import folder_of, is_postgresql
    from facedown.server.store.sqlite.backup import backup

    settings = Settings.read({"data": arguments.data, "store": arguments.store}, os.environ)
    if is_postgresql(settings.store_url):
        raise Unsupported(
            "`backup` copies SQLite; a database of PostgreSQL is copied by its own tools, while servers run: "
            "pg_dump --format=custom --file=FILE URL"
        )
    target = Path(arguments.file).absolute()
    backup(folder_of(settings.store_url), target)
    print(f"Written to {arguments.file}: {target.stat().st_size:,} bytes, and it is whole.")
    return DONE
