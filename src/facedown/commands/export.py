"""`facedown export`: the decisions of recorded games as a table, one row a decision, in CSV."""

from __future__ import annotations

import argparse

from facedown.library.decisions import decisions, write_rows
from facedown.library.record_files import records


def run(arguments: argparse.Namespace) -> None:
    """Write every decision of the source, or nothing if a record is wrong."""
    count = write_rows(decisions(records(arguments.record), encoding=arguments.encoding), arguments.file)
    if not arguments.file.startswith("/dev/"):  # such as /dev/stdout, which is all table
        print(f"{count:,} decisions are in {arguments.file}.")
