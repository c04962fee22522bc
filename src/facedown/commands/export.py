"""`facedown export`: the decisions of recorded games as a table, one row a decision, in CSV or Parquet."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from facedown.cli.record_files import RecordSource, reading
from facedown.core.errors import FacedownError
from facedown.core.record import Record
from facedown.library.decisions import decisions, write_rows


def run(arguments: argparse.Namespace) -> None:
    """Write every decision of the source, or nothing if a record is wrong."""
    with reading(arguments.record) as source:
        count = write_rows(decisions(_records(source), encoding=arguments.encoding), arguments.file)
    if not arguments.file.startswith("/dev/"):  # such as /dev/stdout, which is all table
        print(f"{count:,} decisions are in {arguments.file}.")


def _records(source: RecordSource) -> Iterator[Record]:
    """The records, each error with its line."""
    found = False
    for entry in source.entries:
        found = True
        try:
            yield Record.read(entry.text)
        except FacedownError as error:
            raise error.at(line=entry.line) from None
    if not found:
        raise source.nothing
