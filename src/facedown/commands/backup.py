"""`facedown backup`: a copy of a server's data, made while it runs.

The copy is one SQLite file: put into an empty folder as `facedown.sqlite`, it is a data folder again.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from facedown.cli import DONE


def run(arguments: argparse.Namespace) -> int:
    """Copy the data into a new file, and check the copy."""
    from facedown.server.settings import Settings
    from facedown.server.store import folder_of
    from facedown.server.store.backup import backup

    settings = Settings.read({"data": arguments.data, "store": arguments.store}, os.environ)
    target = Path(arguments.file).absolute()
    backup(folder_of(settings.store_url), target)
    print(f"Written to {arguments.file}: {target.stat().st_size:,} bytes, and it is whole.")
    return DONE
