"""What is wrong with some of many records: the first errors in full, the rest counted."""

from __future__ import annotations

import sys
from typing import Final, TypeAlias

from facedown.core.errors import FacedownError, UnreadableRecord
from facedown.library.record_files import RecordSource

_COMPLAINTS: Final = 10
"""The most wrong lines that are listed; the rest are counted."""
_HOPELESS: Final = 1000
"""Lines without a single record after which a file is taken for something else."""

Complaint: TypeAlias = tuple[str, str]
"""The code of an error, and its text with its line."""


class Complaints:
    """What is wrong with some of many records: the first errors are printed in full, the rest counted."""

    def __init__(self, source: RecordSource) -> None:
        self._source = source
        self._errors: list[str] = []
        self._wrong = 0
        self._all = 0

    def add(self, wrong: Complaint | None) -> None:
        """Count a record, with what is wrong with it."""
        self._all += 1
        if wrong is None:
            return
        self._wrong += 1
        if self._wrong <= _COMPLAINTS:
            code, text = wrong
            self._errors.append(f"{code}: {self._source.name}: {text}")

    @property
    def hopeless(self) -> bool:
        """Whether this cannot be a file of records: many lines, and all of them wrong."""
        return self._wrong == self._all >= _HOPELESS

    def close(self) -> bool:
        """Print what was wrong to standard error; whether nothing was."""
        for line in self._summary():
            print(f"facedown: {line}", file=sys.stderr)
        return 0 == self._wrong < self._all

    def _summary(self) -> list[str]:
        if self._all == 0:
            return [f"{UnreadableRecord.code}: {self._source.nothing.message}"]
        if self._wrong == self._all > 1:
            return [f"{self._errors[0]}; and not one of {self._all} lines is right"]
        if self._wrong > len(self._errors):
            count = f"{self._wrong} of {self._all} lines are wrong"
            return [*self._errors, f"{UnreadableRecord.code}: {self._source.name}: {count}"]
        return self._errors


def complaint(error: FacedownError, line: int | None) -> Complaint:
    """What is wrong with the record on that line."""
    return error.code, str(error.at(line=line))
